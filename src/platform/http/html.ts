/** Markup that the server writes: whatever a text holds stays text. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Finished markup. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup
  if (typeof part === 'object' && part !== null) return part.map(markupOf).join('')
  return part === null || part === undefined || part === false ? '' : String(part).replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}

/** A template whose places are escaped, unless they are markup themselves. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, place) => text + markupOf(parts[place])).join(''))
