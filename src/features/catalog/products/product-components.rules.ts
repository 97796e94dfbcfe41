/** What a bundle may consist of: products of the same company, none of them a bundle. */
import type { Problem } from '#domain/order/validation-issues.ts'

export interface Component {
  sku: string
  quantity: number
}

/** A product that takes part, by its SKU in capitals. */
export interface KnownProduct {
  /** The SKUs in capitals of its components. */
  parts: ReadonlySet<string>
  /** The SKUs in capitals of the bundles that it is a part of. */
  bundles: ReadonlySet<string>
}

const componentSentences = {
  unknown: 'There is no product with the SKU {{sku}}',
  itself: 'A bundle cannot be a part of itself',
  twice: '{{sku}} stands twice',
  nested: '{{sku}} is a bundle itself. Add its parts instead.',
  part: '{{sku}} is a part of the bundle {{bundle}} and cannot be one itself',
} as const

/** The same beside the field of the part, which names the product already. */
export const componentFieldWords: Record<string, string> = {
  [componentSentences.unknown]: 'No product has this SKU',
  [componentSentences.itself]: componentSentences.itself,
  [componentSentences.twice]: 'It stands twice',
  [componentSentences.nested]: 'It is a bundle itself. Add its parts instead.',
  [componentSentences.part]: 'This product is a part of another bundle',
}

export const keyOfSku = (sku: string): string => sku.toUpperCase()

/** The first fault of a bundle's parts, with the place of the part; undefined where it may be stored. */
export function faultOfComponents(
  sku: string,
  components: readonly Component[],
  known: ReadonlyMap<string, KnownProduct>,
): Problem | undefined {
  const own = keyOfSku(sku)
  const fault = (at: number, text: string, values: Problem['values'] = {}): Problem => ({ field: `components.${at}.sku`, text, values })
  const [bundle] = known.get(own)?.bundles ?? []
  if (components.length > 0 && bundle !== undefined) return fault(0, componentSentences.part, { sku, bundle })
  const seen = new Set<string>()
  for (const [at, part] of components.entries()) {
    const key = keyOfSku(part.sku)
    if (key === own) return fault(at, componentSentences.itself)
    if (seen.has(key)) return fault(at, componentSentences.twice, { sku: part.sku })
    seen.add(key)
    const product = known.get(key)
    if (!product) return fault(at, componentSentences.unknown, { sku: part.sku })
    if (product.parts.size > 0) return fault(at, componentSentences.nested, { sku: part.sku })
  }
  return undefined
}

/** The products as they are after this bundle was stored, so that the next one of a batch is judged by them. */
export function withComponents(
  known: ReadonlyMap<string, KnownProduct>,
  sku: string,
  components: readonly Component[],
): Map<string, KnownProduct> {
  const own = keyOfSku(sku)
  const parts = new Set(components.map(part => keyOfSku(part.sku)))
  const before = known.get(own)
  const after = new Map(known)
  after.set(own, { parts, bundles: before?.bundles ?? new Set() })
  for (const part of new Set([...parts, ...(before?.parts ?? [])])) {
    const bundles = new Set(known.get(part)?.bundles ?? [])
    if (parts.has(part)) bundles.add(own)
    else bundles.delete(own)
    after.set(part, { parts: known.get(part)?.parts ?? new Set(), bundles })
  }
  return after
}
