/** What a printer is good for, and which of its papers is meant. */

type Papers = Readonly<Record<string, readonly [number, number]>>

/** Words of label printers' makers and drivers. */
const labelWords = /\blabel|etiket|zdesigner|zebra|dymo|\bql-?\d{3}|\btsc\b|\bsato\b|godex|argox|citizen cl|bixolon|thermal/i

/** Judged by language, name and papers: what takes ZPL, is called a label printer or knows only narrow papers prints labels. */
export function paperOf(printer: { name: string; description: string; papers: Papers; raw: boolean }): 'a4' | 'label' {
  if (printer.raw || labelWords.test(`${printer.name} ${printer.description}`)) return 'label'
  const sizes = Object.values(printer.papers)
  return sizes.length > 0 && sizes.every(([width, height]) => Math.min(width, height) <= 115) ? 'label' : 'a4'
}

const sizes = { a4: [210, 297], label: [100, 150] } as const

/**
 * The printer's own name for A4 or for a label of 100 × 150 mm, upright or turned and within 4 mm; null leaves the choice to the printer.
 * Any other name is the printer's own already.
 */
export function paperNamed(papers: Papers, wanted: string | null): string | null {
  if (wanted !== 'a4' && wanted !== 'label') return wanted
  const [width, height] = sizes[wanted]
  const off = ([w, h]: readonly [number, number]) => Math.max(Math.abs(Math.min(w, h) - width), Math.abs(Math.max(w, h) - height))
  const near = Object.entries(papers)
    .map(([name, size]) => ({ name, off: off(size) }))
    .filter(paper => paper.off <= 4)
    .sort((a, b) => a.off - b.off)
  return near[0]?.name ?? null
}
