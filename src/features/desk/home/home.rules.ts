/** What Home counts of data that other screens show whole. */
import type { OrderImport } from '#features/orders/order-imports/order-imports.schemas.ts'

/** Milliseconds. Older files are corrected already, or not at all. */
const recent = 7 * 86_400_000

/** How many imports of the last week failed or left rows out. */
export const importsWithProblems = (imports: readonly Pick<OrderImport, 'state' | 'refused' | 'created_at'>[], now: number): number =>
  imports.filter(one => now - Date.parse(one.created_at) < recent && (one.state === 'failed' || one.refused > 0)).length
