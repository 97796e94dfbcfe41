/** E-mails of blocks: MJML makes the layout when a template is saved, and each mail fills its places. Companies write no HTML. */
import type { Locale } from '#contract/limits.ts'
import { fillTemplateText, type WordValues } from './liquid-text.server.ts'
import type { buttonTargets } from './templates.codes.ts'
import type { EmailBlock } from './templates.schemas.ts'

/** Stands for the company's colour in the layout; a colour is checked by MJML, so it is one. */
const colorPlace = '#0a0b0c'
const fallbackColor = '#14597a'

const placeOf = (at: number, part: string) => `[[${at}:${part}]]`

function sectionOf(block: EmailBlock, at: number): string {
  switch (block.kind) {
    case 'heading':
      return `<mj-text font-size="22px" font-weight="600" line-height="30px">${placeOf(at, 'text')}</mj-text>`
    case 'text':
      return `<mj-text>${placeOf(at, 'text')}</mj-text>`
    case 'button':
      return `<mj-button align="left" href="https://place.invalid/${at}" background-color="${colorPlace}">${placeOf(at, 'text')}</mj-button>`
    case 'items':
    case 'parcels':
      return `<mj-table>${placeOf(at, 'rows')}</mj-table>`
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#d5dade" />'
  }
}

/** The layout with places, as it is stored. */
export async function layoutOf(blocks: readonly EmailBlock[]): Promise<string> {
  const { default: compile } = await import('mjml')
  const { html } = await compile(
    `<mjml><mj-head><mj-title>${placeOf(-1, 'subject')}</mj-title><mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', Arial, sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1b2228" /><mj-table font-size="16px" line-height="24px" color="#1b2228" />
      <mj-button font-size="16px" border-radius="6px" inner-padding="12px 20px" />
    </mj-attributes></mj-head><mj-body background-color="#f4f5f6">
      <mj-section background-color="#ffffff" border-top="4px solid ${colorPlace}"><mj-column>
        <mj-text font-weight="600">${placeOf(-1, 'company')}</mj-text>
        ${blocks.map(sectionOf).join('\n')}
      </mj-column></mj-section>
      <mj-section><mj-column><mj-text font-size="13px" line-height="20px" color="#5b6670">${placeOf(-1, 'foot')}</mj-text></mj-column></mj-section>
    </mj-body></mjml>`,
    // Fonts of other hosts would say who opens the mail.
    { ignoreIncludes: true, validationLevel: 'strict', fonts: {} },
  )
  return html
}

export interface EmailFacts {
  values: WordValues
  locale: Locale
  company: string
  color: string | null
  homepage: string
  items: readonly { qty: number; name: string }[]
  parcels: readonly { name: string; tracking_no: string; url: string }[]
  /** Said at the end. */
  foot: string
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')
/** Written by the program or checked before; anything else leads nowhere. */
const safeUrl = (url: string): string => (/^https?:\/\//i.test(url) ? url : '')

const row = (cells: readonly string[]) =>
  `<tr>${cells.map(cell => `<td style="padding:4px 12px 4px 0;vertical-align:top">${cell}</td>`).join('')}</tr>`

const buttonAddress = (target: (typeof buttonTargets)[number], { values, homepage }: EmailFacts): string =>
  ({ tracking: values.tracking_url, answer: values.answer_url, return: values.return_url, shop: homepage })[target]

/** What stands at the places of a block, and its lines in the plain text. */
function written(block: EmailBlock, facts: EmailFacts): { text: string; rows: string; plain: string[]; url: string } {
  const nothing = { text: '', rows: '', plain: [], url: '' }
  switch (block.kind) {
    case 'heading':
    case 'text': {
      const text = fillTemplateText(block.text, facts.values)
      return { ...nothing, text: lines(text), plain: [text] }
    }
    case 'button': {
      const text = fillTemplateText(block.text, facts.values)
      const url = safeUrl(buttonAddress(block.target, facts))
      return { ...nothing, text: lines(text), url, plain: url === '' ? [] : [`${text}:\n${url}`] }
    }
    case 'items':
      return {
        ...nothing,
        rows: facts.items.map(({ qty, name }) => row([`${qty} ×`, escaped(name)])).join(''),
        plain: [facts.items.map(({ qty, name }) => `${qty} × ${name}`).join('\n')],
      }
    case 'parcels':
      return {
        ...nothing,
        rows: facts.parcels
          .map(({ name, tracking_no, url }) => row([escaped(name), `<a href="${escaped(safeUrl(url))}">${escaped(tracking_no)}</a>`]))
          .join(''),
        plain: [facts.parcels.map(({ name, tracking_no, url }) => `${name} ${tracking_no}\n${url}`).join('\n')],
      }
    case 'divider':
      return nothing
  }
}

/** The mail as HTML and as plain text. A button without an address is left out of the text and leads to the shop's page. */
export function fillLayout(layout: string, subject: string, blocks: readonly EmailBlock[], facts: EmailFacts) {
  const filled = fillTemplateText(subject, facts.values).replace(/\s+/g, ' ').slice(0, 300)
  const parts = blocks.map(block => written(block, facts))
  const fixed: Readonly<Record<string, string>> = { subject: escaped(filled), company: escaped(facts.company), foot: lines(facts.foot) }
  const language = facts.locale === 'no_NO' ? 'nb' : facts.locale.slice(0, 2)
  const html = layout
    .replace(/\[\[(-?\d+):(\w+)\]\]/g, (_place, at: string, part: string) => {
      const one = parts[Number(at)]
      return at === '-1' ? (fixed[part] ?? '') : ((part === 'rows' ? one?.rows : one?.text) ?? '')
    })
    .replace(/https:\/\/place\.invalid\/(\d+)/g, (_place, at: string) => escaped(parts[Number(at)]?.url || safeUrl(facts.homepage)))
    .replaceAll(colorPlace, facts.color ?? fallbackColor)
    .replace(/<html[^>]*>/, `<html lang="${language}" dir="ltr">`)
  const text = [facts.company, ...parts.flatMap(part => part.plain).filter(Boolean), facts.foot].join('\n\n')
  return { subject: filled, html, text, language }
}
