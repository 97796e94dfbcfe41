/** Products as shops and files send them: each one is checked by itself. */
import type * as z from 'zod'
import { isRecord } from '#domain/objects.ts'
import { type Problem, problemsOf } from '#domain/order/validation-issues.ts'
import { productWords } from './products.codes.ts'
import { WrittenProduct } from './products.schemas.ts'

export type ReadProduct = { product: WrittenProduct; sku: string } | { product?: never; sku: string | null; problems: Problem[] }

/** Each is judged alone. */
export function readProducts(sent: readonly unknown[]): ReadProduct[] {
  return sent.map((one): ReadProduct => {
    const read = WrittenProduct.safeParse(one)
    if (read.success) return { product: read.data, sku: read.data.sku }
    const sku = isRecord(one) ? one.sku : undefined
    return {
      sku: typeof sku === 'string' ? sku.slice(0, 64) : null,
      problems: read.error.issues.flatMap(issue => problemsOfProduct(issue, one)).slice(0, 20),
    }
  })
}

const sentences: ReadonlySet<string> = new Set(Object.values(productWords))
function problemsOfProduct(issue: z.core.$ZodIssue, product: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, 20)
      .map(key => ({ field: key.slice(0, 60), text: productSentences.unknown, values: { field: key.slice(0, 60) } }))
  if (issue.path.length === 0) return [{ field: '', text: productSentences.product, values: {} }]
  const [problem] = problemsOf([issue], product)
  // A field that is missing says so in its own words as well.
  const own = sentences.has(issue.message) ? issue.message : undefined
  return problem ? [own === undefined ? problem : { field: problem.field, text: own, values: {} }] : []
}
export const productSentences = {
  unknown: '{{field}} is not a field of a product',
  product: 'A product must be an object',
  tag: 'There is no tag {{name}}: add it first',
  shared: '{{sku}} has the barcode {{barcode}} as well: a scan of it does not tell the two apart',
} as const
