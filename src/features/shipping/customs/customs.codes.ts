/** Codes of customs that screens and schemas share. */

/** As orders name the reason; `CustomsData` of couriers has shorter words. */
export const orderReasons = ['sale_of_goods', 'gift', 'documents', 'commercial_sample', 'returned_goods', 'other'] as const
export type OrderReason = (typeof orderReasons)[number]

/** With `DAP` the recipient pays VAT and duty, also where the seller could charge them. */
export const orderTerms = ['DAP', 'DDP', 'EXW', 'DAT'] as const
