/** What becomes of pieces that an order was closed without. */
export const rests = ['backorder', 'cancel', 'hold'] as const
export type Rest = (typeof rests)[number]

export interface RestLine {
  order_line_id: number
  quantity: number
  rest: Rest
}

/** What becomes of the order: it waits for a person where one line does, else it comes back where one line follows. */
export const restOfOrder = (lines: readonly Pick<RestLine, 'rest'>[]): Rest | null =>
  (['hold', 'backorder', 'cancel'] as const).find(rest => lines.some(line => line.rest === rest)) ?? null

export const piecesOf = (lines: readonly RestLine[], rest: Rest): number =>
  lines.reduce((sum, line) => sum + (line.rest === rest ? line.quantity : 0), 0)
