/** Formats and limits of exports of orders. */

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Orders of one file. */
export const mostExportedOrders = { csv: 1_000_000, xlsx: 50_000 } as const satisfies Record<ExportFormat, number>
