/** The shop's campaign below the facts: a picture that keeps its place while it loads, words, and a link that counts. */
import type { CampaignSlot, OrderCampaign } from '#features/shipping/campaigns/campaigns.schemas.ts'
import { el } from './dom.client.ts'

/** With `href` null nothing leads on. */
export function campaignSlot(slot: CampaignSlot, company: string, href: string | null): HTMLElement {
  const { public_key, locale, variant, picture, alt, headline, text, button } = slot
  const image = (width: number) => `/api/${company}/campaign_on_tracking/img/${public_key}_${locale}_${variant}_${width}?v=${picture}`
  const lead = (name: string, ...content: Parameters<typeof el>[2][]) =>
    href ? el('a', { class: name, href, rel: 'noopener noreferrer' }, ...content) : el('div', { class: name }, ...content)
  return el(
    'section',
    { class: 'campaign card', lang: locale.slice(0, 2) },
    lead(
      'plain',
      picture &&
        el('img', {
          src: image(700),
          srcset: `${image(700)} 700w, ${image(1400)} 1400w`,
          sizes: '(max-width: 35rem) 100vw, 35rem',
          width: 700,
          height: 300,
          loading: 'lazy',
          decoding: 'async',
          alt,
        }),
      headline && el('h2', {}, headline),
    ),
    text && el('p', {}, text),
    button && lead('button', button),
  )
}

/** Counts once that it was seen: when half of it has come into sight. */
function countWhenSeen(section: HTMLElement, company: string, { public_key, signed }: OrderCampaign): void {
  const watch = new IntersectionObserver(
    entries => {
      if (!entries.some(entry => entry.isIntersecting)) return
      watch.disconnect()
      void fetch(`/api/${company}/campaign_on_tracking/seen`, {
        method: 'POST',
        credentials: 'omit',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ campaign: public_key, signed }),
        // A view that is not counted is no loss to the reader.
      }).catch(() => {})
    },
    { threshold: 0.5 },
  )
  watch.observe(section)
}

export function orderCampaign(slot: OrderCampaign, company: string): HTMLElement {
  const section = campaignSlot(slot, company, slot.has_link ? `/api/${company}/c/${slot.public_key}/${slot.signed}` : null)
  countWhenSeen(section, company, slot)
  return section
}
