/** The tracking page: no login, no cookie, nothing kept on the device – the address holds everything. */
import { isRecord } from '#domain/objects.ts'
import './tracking.css'
import type { CampaignSlot } from '#features/shipping/campaigns/campaigns.schemas.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import type { ShopFace, Tracking } from '../tracking.schemas.ts'
import { campaignSlot, orderCampaign } from './campaign-slot.client.ts'
import { el } from './dom.client.ts'
import { isLocale, ownLocale } from './page-language.labels.ts'
import { wear } from './shop-frame.client.ts'
import { locale, speak, t, translate } from './tracking-page.labels.ts'
import { type Asked, checkedText, form, type Help, noHelp, order, page } from './tracking-view.client.ts'

/** Milliseconds between two looks while somebody is looking. */
const lookAgain = 60_000
const patience = 15_000

const company = location.hostname.split('.')[0] ?? ''
const root = document.getElementById('root') as HTMLElement
/** Says to those who cannot see it that something has changed. */
const herald = el('p', { class: 'unseen', role: 'status' })

/** What is shown; `draw` follows from it alone. */
const shown: {
  shop: ShopFace | null
  tracking: Tracking | null
  /** A campaign that is tried beside a made-up order. */
  preview: CampaignSlot | null
  /** Where the order can be returned, as the return portal says. */
  returnPath: string | null
  help: Help
  asked: Asked
  said: string | null
  busy: boolean
  outOfReach: boolean
  checked: Date
} = {
  shop: null,
  tracking: null,
  preview: null,
  returnPath: null,
  help: noHelp(),
  asked: { order_no: '', postcode: '' },
  said: null,
  busy: false,
  outOfReach: false,
  checked: new Date(),
}
let drawn = ''

class Answer extends Error {
  readonly status: number
  readonly key: string
  constructor(status: number, key: string) {
    super(key)
    this.status = status
    this.key = key
  }
}

async function ask<T>(path: string, body?: object, headers?: Record<string, string>): Promise<T> {
  const response = await fetch(`/api/${company}/${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Answer(response.status, isRecord(answer) ? String(answer.key ?? '') : '')
  return answer as T
}

const link = (): { name: 'o' | 'p'; id: string; s: string } | null => {
  const search = new URLSearchParams(location.search)
  const [o, p, s] = [search.get('o'), search.get('p'), search.get('s')]
  if (!s) return null
  if (o) return { name: 'o', id: o, s }
  return p ? { name: 'p', id: p, s } : null
}

/** The reader's choice in the address. */
const chosen = () => {
  const lang = new URLSearchParams(location.search).get('lang')
  return isLocale(lang) ? lang : null
}
/** The reader's choice, else the recipient's language. */
const wanted = (otherwise: Parameters<typeof speak>[0]) => speak(chosen() ?? otherwise)

function moveTo(change: Record<string, string | null>, how: 'pushState' | 'replaceState'): void {
  const search = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(change)) value === null ? search.delete(name) : search.set(name, value)
  history[how](null, '', `${location.pathname}${search.size ? `?${search}` : ''}`)
}

const deeds = {
  async find(asked: Asked) {
    shown.asked = asked
    shown.busy = true
    shown.said = null
    draw()
    try {
      const lang = chosen()
      const tracking = await ask<Tracking>('tracking/find', { ...asked, ...(lang && { lang }) })
      if (tracking.ticket) moveTo({ o: String(tracking.ticket.o), p: null, s: tracking.ticket.s }, 'pushState')
      await show(tracking)
    } catch (error) {
      shown.said = sentenceOf(error)
    } finally {
      shown.busy = false
      draw()
    }
  },
  another() {
    Object.assign(shown, { tracking: null, preview: null, returnPath: null, help: noHelp(), said: null })
    moveTo({ o: null, p: null, s: null }, 'pushState')
    draw()
    document.getElementById('order_no')?.focus()
  },
  openHelp(open: boolean) {
    Object.assign(shown.help, { stage: open ? 'open' : 'closed', said: null })
    draw()
    document.getElementById(open ? 'topic' : 'help')?.focus()
  },
  async sendHelp() {
    const asked = link()
    const { help } = shown
    if (asked?.name !== 'o' || help.stage !== 'open') return
    help.stage = 'sending'
    help.said = null
    draw()
    try {
      const { topic, text, client_id } = help
      await ask('tracking/help', { o: Number(asked.id), s: asked.s, topic, text, client_id })
      Object.assign(help, { stage: 'sent', text: '', client_id: crypto.randomUUID() })
      herald.textContent = t('The shop has your question')
    } catch (error) {
      help.stage = 'open'
      help.said = sentenceOf(error)
      herald.textContent = help.said
    }
    draw()
  },
  async chooseLanguage(lang: Parameters<typeof speak>[0]) {
    moveTo({ lang }, 'replaceState')
    await speak(lang)
    draw()
    // The campaign has words of its own in each language.
    if (shown.tracking) await look()
    root.querySelector<HTMLElement>('.language')?.focus()
  },
}

function sentenceOf(error: unknown): string {
  if (error instanceof Answer && error.status === 429)
    return t('There were too many tries from here. Wait an hour, or open the link in your e-mail.')
  if (error instanceof Answer && error.status < 500 && error.key) return translate(error.key)
  return t('The shop cannot be reached right now. This page tries again automatically.')
}

async function show(tracking: Tracking): Promise<void> {
  const before = shown.tracking?.headline
  Object.assign(shown, { tracking, shop: tracking.company, outOfReach: false, said: null, checked: new Date() })
  wear(tracking.company)
  await wanted(tracking.locale)
  void learnReturn()
  void learnHelp()
  if (before && JSON.stringify(before) !== JSON.stringify(tracking.headline))
    herald.textContent = translate(tracking.headline.text, tracking.headline.values)
}

/** Without an answer there is no button. */
async function learnReturn(): Promise<void> {
  const asked = link()
  const query = asked && `o=${encodeURIComponent(asked.id)}&s=${encodeURIComponent(asked.s)}&lang=${locale()}`
  const answer = asked?.name === 'o' ? await ask<{ path: string | null }>(`returns/portal/tracked?${query}`).catch(() => null) : null
  if (link()?.s !== asked?.s) return
  shown.returnPath = answer?.path ?? null
  draw()
}

/** The form stands where the shop can answer. */
async function learnHelp(): Promise<void> {
  const asked = link()
  if (asked?.name !== 'o' || shown.help.channel !== null) return
  const way = `tracking/help?o=${encodeURIComponent(asked.id)}&s=${encodeURIComponent(asked.s)}`
  const answer = await ask<{ channel: Help['channel'] }>(way).catch(() => null)
  if (link()?.s !== asked.s) return
  shown.help.channel = answer?.channel ?? null
  draw()
}

/** Draws what changed and nothing else: a reader's place and selection stay while the minute's answer is the same. */
function draw(): void {
  const { shop, tracking, preview, returnPath, help, asked, said, busy, outOfReach, checked } = shown
  // What is being written stays in its field.
  const asks = [help.channel, help.stage, help.said]
  const next = JSON.stringify([shop, tracking, preview, returnPath, asks, asked, said, busy, outOfReach, document.documentElement.lang])
  const since = document.getElementById('checked')
  if (since && tracking) since.textContent = checkedText(checked, tracking.time_zone)
  if (next === drawn) return
  drawn = next
  document.title = documentTitle(
    company,
    tracking?.order_no ? t('Order {{number}}', { number: tracking.order_no }) : t('Follow your parcel'),
  )
  const campaign = preview ? campaignSlot(preview, company, null) : tracking?.campaign && orderCampaign(tracking.campaign, company)
  const content = tracking ? order(tracking, outOfReach, checked, deeds, { campaign, returnPath, help }) : [form(asked, said, busy, deeds)]
  root.replaceChildren(...page(shop, company, deeds, ...content))
}

/** Looks again at what is shown, or for the first time. */
async function look(): Promise<void> {
  const asked = link()
  const fragment = new URLSearchParams(location.hash.slice(1))
  try {
    if (fragment.has('campaign')) await showPreview(fragment)
    else if (asked) {
      const lang = chosen()
      const tracking = await ask<Tracking>(
        `tracking/order?${asked.name}=${encodeURIComponent(asked.id)}&s=${encodeURIComponent(asked.s)}${lang ? `&lang=${lang}` : ''}`,
      )
      if (link()?.s !== asked.s) return
      await show(tracking)
    } else if (!shown.shop) await meetShop()
  } catch (error) {
    const gone = error instanceof Answer && error.status < 500 && error.status !== 429
    if (shown.tracking && !gone) shown.outOfReach = true
    else {
      shown.tracking = null
      shown.preview = null
      if (gone && asked) await meetShop().catch(() => wanted(ownLocale()))
      else await wanted(ownLocale())
      shown.said = gone && fragment.has('campaign') ? t('This preview has ended. Ask for a new link.') : sentenceOf(error)
    }
  }
  draw()
}

async function showPreview(fragment: URLSearchParams): Promise<void> {
  if (!shown.shop) await meetShop()
  if (!shown.shop) return
  const { readPreview } = await import('./tracking-preview.client.ts')
  const { tracking, slot } = await readPreview(fragment, locale(), shown.shop, ask)
  Object.assign(shown, { tracking, preview: slot, said: null, outOfReach: false, checked: new Date() })
}

async function meetShop(): Promise<void> {
  try {
    const { company: shop, locale: own } = await ask<{ company: ShopFace; locale: Parameters<typeof speak>[0] }>('tracking/shop')
    shown.shop = shop
    wear(shop)
    await wanted(own)
  } catch (error) {
    if (!(error instanceof Answer) || error.status !== 404) throw error
    await wanted(ownLocale())
    shown.said = t('There is no shop at this address')
  }
}

let lookedAt = 0
async function lookWhileVisible(): Promise<void> {
  if (document.visibilityState !== 'visible' || Date.now() - lookedAt < lookAgain - 1_000) return
  lookedAt = Date.now()
  await look()
}

root.after(herald)
void lookWhileVisible()
setInterval(() => void lookWhileVisible(), lookAgain)
document.addEventListener('visibilitychange', () => void lookWhileVisible())
addEventListener('popstate', () => {
  shown.tracking = null
  void look()
})
