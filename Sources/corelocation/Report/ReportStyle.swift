/// The look of a report, light and dark, on a phone and on a desk.
enum ReportStyle {
  static let text = """

    :root { color-scheme: light dark; --page: #fbfbf9; --ink: #1d2226; --quiet: #5b656e; --line: #d5d9dc; \
    --card: #ffffff; --way: #8a949c; --told: #0b66c3; --region: #1c7c43; --visit: #b3471f; --pause: #8b3fa6; \
    --receiver: #b07800; --wifi: #7a3fc0; --cell: #c2406e; --bluetooth: #2a4bd0; --motion: #4f7f8f; }
    @media (prefers-color-scheme: dark) { :root { --page: #14181b; --ink: #e8ebed; --quiet: #a3adb5; \
    --line: #384149; --card: #1d2327; --way: #77828b; --told: #62aef5; --region: #5cc98a; --visit: #ef8d62; \
    --pause: #cf93e6; --receiver: #e0b04a; --wifi: #b491f0; --cell: #f08cae; --bluetooth: #5c8dff; \
    --motion: #7fb6c6; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
    main { max-width: 1040px; margin: 0 auto; padding: 16px; }
    h1 { font-size: 24px; margin: 8px 0 4px; overflow-wrap: anywhere; }
    h2 { font-size: 18px; margin: 32px 0 8px; }
    p, footer { color: var(--quiet); margin: 4px 0 10px; overflow-wrap: anywhere; }
    footer { margin-top: 32px; padding-top: 10px; border-top: 1px solid var(--line); font-size: 14px; }
    .figures { display: flex; flex-wrap: wrap; gap: 10px; margin: 16px 0; }
    .figures > div { flex: 1 1 150px; background: var(--card); border: 1px solid var(--line); \
    border-radius: 8px; padding: 10px 12px; }
    dt, dd { margin: 0; color: var(--quiet); font-size: 14px; }
    dd.value { color: var(--ink); font-size: 20px; font-weight: 600; white-space: nowrap; }
    .frame { position: relative; background: var(--card); border: 1px solid var(--line); border-radius: 8px; \
    overflow: hidden; }
    .map { display: block; width: 100%; }
    .map path, .map circle { fill: none; vector-effect: non-scaling-stroke; stroke-linecap: round; \
    stroke-linejoin: round; }
    .map .way { stroke: var(--way); stroke-width: 3px; }
    .map .pole { stroke: var(--quiet); stroke-width: 9px; }
    .map .told { stroke: var(--told); stroke-width: 5px; }
    .map .pause { stroke: var(--pause); stroke-width: 21px; }
    .map .visit { stroke: var(--visit); stroke-width: 13px; }
    .map .end { stroke: var(--ink); stroke-width: 9px; }
    .map .region { stroke: var(--region); stroke-width: 2px; fill: var(--region); fill-opacity: 0.14; }
    @media (max-width: 600px) { .map .told { stroke-width: 4px; } .map .pause { stroke-width: 15px; } \
    .map .visit { stroke-width: 9px; } .map .end { stroke-width: 5px; } .map .region { stroke-width: 1.5px; } }
    .map text { fill: var(--ink); font-size: 13px; paint-order: stroke; stroke: var(--card); stroke-width: 4px; \
    stroke-linejoin: round; }
    .north { position: absolute; top: 10px; right: 12px; text-align: center; font-size: 13px; line-height: 1.2; }
    .north svg { display: block; fill: var(--ink); }
    .scale { position: absolute; left: 12px; bottom: 10px; border: 2px solid var(--ink); border-top: 0; \
    font-size: 13px; line-height: 1.3; text-align: center; white-space: nowrap; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 8px 0; \
    font-size: 14px; color: var(--quiet); }
    .key { display: inline-block; width: 12px; height: 12px; border-radius: 6px; margin-right: 6px; \
    vertical-align: -1px; }
    .key.way { background: var(--way); height: 4px; border-radius: 2px; vertical-align: 4px; }
    .key.told { background: var(--told); }
    .key.region { border: 2px solid var(--region); }
    .key.visit { background: var(--visit); }
    .key.pause { background: var(--pause); }
    .key.receiver { background: var(--receiver); border-radius: 2px; }
    .key.wifi { background: var(--wifi); border-radius: 2px; }
    .key.cell { background: var(--cell); border-radius: 2px; }
    .key.bluetooth { background: var(--bluetooth); border-radius: 2px; }
    .key.motion { background: var(--motion); border-radius: 2px; }
    .lanes .name { font-size: 14px; color: var(--quiet); margin-top: 8px; overflow-wrap: anywhere; }
    .lane { display: block; width: 100%; height: 16px; background: var(--card); border: 1px solid var(--line); }
    rect.receiver { fill: var(--receiver); }
    rect.wifi { fill: var(--wifi); }
    rect.cell { fill: var(--cell); }
    rect.bluetooth { fill: var(--bluetooth); }
    rect.motion { fill: var(--motion); }
    rect.told { fill: var(--told); }
    rect.region { fill: var(--region); }
    rect.visit { fill: var(--visit); }
    rect.pause { fill: var(--pause); }
    .bars { display: block; width: 100%; height: 130px; background: var(--card); border: 1px solid var(--line); }
    .most { font-size: 14px; }
    .axis { position: relative; height: 24px; font-size: 13px; color: var(--quiet); }
    .tick { position: absolute; top: 0; padding-top: 5px; transform: translateX(-50%); white-space: nowrap; }
    .tick::before { content: ""; position: absolute; top: 0; left: 50%; height: 5px; \
    border-left: 1px solid var(--quiet); }
    .tick.first { transform: none; }
    .tick.first::before { left: 0; }
    .tick.last { transform: translateX(-100%); }
    .tick.last::before { left: 100%; }
    .wide { overflow-x: auto; }
    table { border-collapse: separate; border-spacing: 0; font-size: 14px; font-variant-numeric: tabular-nums; \
    width: 100%; }
    th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
    th:first-child { text-align: left; position: sticky; left: 0; background: var(--page); }
    .words td, .words th { text-align: left; white-space: normal; overflow-wrap: anywhere; }
    .words tbody th { white-space: nowrap; width: 1%; }
    thead th { color: var(--quiet); font-weight: 500; }
    tbody th { font-weight: 500; }
    summary { cursor: pointer; color: var(--quiet); font-size: 14px; margin: 6px 0; }

    """
}
