/** QR codes as a matrix of modules, drawn as vectors by the label writers. */

import { encode } from 'uqr'
import { elementAt } from '#domain/objects.ts'

export interface QrMatrix {
  /** Modules along one side, without the quiet zone. */
  size: number
  /** Horizontal runs of dark modules: row, first column, length. */
  runs: (readonly [row: number, column: number, length: number])[]
}

/**
 * Null when the text needs more than version 20 (97 modules), which does not fit on a label.
 * The mask is fixed: trying all eight takes ten times as long as everything else on the label, and every reader accepts any mask.
 */
export function qrMatrix(text: string): QrMatrix | null {
  if (Buffer.byteLength(text) > 666) return null
  const { data, size } = encode(text, { ecc: 'M', boostEcc: false, border: 0, maskPattern: 4, maxVersion: 20 })
  const runs: QrMatrix['runs'] = []
  for (let row = 0; row < size; row++) {
    const cells = elementAt(data, row)
    for (let column = 0; column < size; column++) {
      if (!cells[column]) continue
      const first = column
      while (column + 1 < size && cells[column + 1]) column++
      runs.push([row, first, column - first + 1])
    }
  }
  return { size, runs }
}
