# Recordings and reference values that lie beside the checkout, for the tests; sourced by other scripts.

# A variable that is set, even to nothing, is the caller's decision.
use_shared_data() {
  [ -d ../shared/data ] || return 0
  data=$(cd ../shared/data && pwd)
  if [ -z "${CORELOCATION_FIELD_DATA+set}" ] && [ -d "$data/field" ]; then
    export CORELOCATION_FIELD_DATA="$data/field"
    echo "Recordings from the field: CORELOCATION_FIELD_DATA=$CORELOCATION_FIELD_DATA"
  fi
  if [ -z "${CORELOCATION_REFERENCE_DATA+set}" ]; then
    export CORELOCATION_REFERENCE_DATA="$data"
    echo "Reference values: CORELOCATION_REFERENCE_DATA=$CORELOCATION_REFERENCE_DATA"
  fi
}
