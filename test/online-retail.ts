/** The public data set Online Retail, on which imports are tried. */
import type { WrittenMapping } from '#features/orders/order-imports/mapping.rules.ts'

/** How a person maps the UCI data set Online Retail (doi 10.24432/C5BW33): its stock codes of charges and bookkeeping, in pounds. */
export const retailMapping: Partial<WrittenMapping> = {
  constants: { currency: 'GBP' },
  conflicts: 'first',
  repeated: 'add',
  cancellation_prefix: 'C',
  zero_price: 'leave_out',
  no_description: 'leave_out',
  non_products: [
    ...['POST', 'DOT', 'C2', 'C3'].map(sku => ({ sku, becomes: 'shipping' as const })),
    { sku: 'D', becomes: 'discount' },
    ...['M', 'BANK CHARGES', 'AMAZONFEE'].map(sku => ({ sku, becomes: 'fee' as const })),
    ...['CRUK', 'S', 'B', 'PADS'].map(sku => ({ sku, becomes: 'left_out' as const })),
  ],
}
