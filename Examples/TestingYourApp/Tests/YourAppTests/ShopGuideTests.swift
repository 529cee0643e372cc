import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@Suite struct ShopGuideTests {
  let street = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let bread = CLLocationCoordinate2D(latitude: 47.501, longitude: 19.2)
  let cheese = CLLocationCoordinate2D(latitude: 47.5011, longitude: 19.2)
  let shop = UUID()

  @Test func guidesThroughTheShop() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: street)
    let shelves = [(1, bread), (2, cheese)].map { device.addBeacon(shop, major: 1, minor: $0, at: $1) }
    let guide = device.launch { _ in ShopGuide(shop: shop) }
    device.play(Journey(from: street).walk(to: bread).stay(for: .seconds(5)))
    try device.expect("It greets once, and bread is near") { guide.greetings == 1 && guide.nearestShelf == 1 }
    device.play(Journey(from: bread).walk(to: cheese).stay(for: .seconds(5)))
    try device.expect("Cheese is near") { guide.greetings == 1 && guide.nearestShelf == 2 }
    for shelf in shelves { shelf.isSending = false }
    device.advance(by: .seconds(29))
    try device.expect("Packets that are missed are no exit") { guide.isInShop }
    try device.advance(within: .seconds(2), until: "it has noticed that the shop is left") { !guide.isInShop }
  }
}
