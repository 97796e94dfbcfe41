/** The papers of one order: what the warehouse reads, and what goes into the box. */
export const orderDocuments = ['sheet', 'slip', 'both'] as const
export type OrderDocument = (typeof orderDocuments)[number]
