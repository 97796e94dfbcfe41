/** The building blocks in all their states, for whoever builds screens. Development only. */
export function BuildingBlocksScreen() {
  return null
}
