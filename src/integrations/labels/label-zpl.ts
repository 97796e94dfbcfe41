/** Writes a laid-out label as ZPL for printers of 203 dpi: the same pieces in the printer's own font, with bars and QR code drawn by the printer. */

import { DOTS, type Layout } from './label-layout.ts'
import { POINT } from './label-text.ts'

/**
 * One `^XA … ^XZ` in UTF-8. Every field is escaped under `^FH`, so that no address can become a command.
 * Text is placed by its baseline (`^FT`); font 0 is narrower than Helvetica Bold, so text that fits the layout fits here.
 */
export function labelZpl({ width, height, pieces }: Layout): Uint8Array {
  const lines = [`^XA^CI28^PW${width * DOTS}^LL${height * DOTS}^LH0,0^LS0^PON^FWN`]
  for (const piece of pieces) {
    const at = `^FO${dots(piece.x)},${dots(piece.y)}`
    switch (piece.kind) {
      case 'fill':
        lines.push(`${at}^GB${dots(piece.width)},${dots(piece.height)},${Math.max(1, Math.min(dots(piece.width), dots(piece.height)))}^FS`)
        break
      case 'frame':
        lines.push(`${at}^GB${dots(piece.width)},${dots(piece.height)},${dots(piece.stroke)}^FS`)
        break
      case 'bars': {
        // Mode D starts with FNC1 and takes the identifier in brackets, which it does not encode; mode A is plain Code 128.
        const data = piece.gs1 ? `(${piece.data.slice(0, 2)})${piece.data.slice(2)}` : piece.data
        const h = dots(piece.height)
        lines.push(`${at}^BY${dots(piece.module)},3,${h}^BCN,${h},N,N,N,${piece.gs1 ? 'D' : 'A'}${zplField(data)}`)
        break
      }
      case 'qr':
        lines.push(`${at}^BQN,2,${dots(piece.module)}${zplField(`MA,${piece.data}`)}`)
        break
      case 'text': {
        const size = dots(piece.line.size * POINT)
        lines.push(`^FT${dots(piece.x)},${dots(piece.y)}^A0N,${size},${size}${piece.white ? '^FR' : ''}${zplField(piece.line.text)}`)
        break
      }
    }
  }
  lines.push('^PQ1^XZ')
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** Escapes field data: `^`, `~` and the escape character are written in hexadecimal, control characters are dropped. */
export function zplField(text: string): string {
  const escaped = text.replace(/[\p{Cc}]/gu, ' ').replace(/[\^~_]/g, sign => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `^FH_^FD${escaped}^FS`
}

function dots(millimetres: number): number {
  return Math.round(millimetres * DOTS)
}
