/** What belongs to a product and is ticked at the inspection: lines of the settings such as `CAM-1: charger, cable`. */

export interface Accessory {
  name: string
  here: boolean
}

/** The parts that belong to this SKU. */
export function accessoriesOf(lines: readonly string[], sku: string | null): string[] {
  const line = sku === null ? undefined : lines.find(one => one.slice(0, one.indexOf(':')).trim().toUpperCase() === sku.toUpperCase())
  return (line?.slice(line.indexOf(':') + 1) ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
}

/** The parts that were ticked, and those that were not. */
export const tickedAccessories = (names: readonly string[], here: readonly string[]): Accessory[] =>
  names.map(name => ({ name, here: here.includes(name) }))
