/** The page on which a recipient answers: no login, no cookie, nothing kept on the device. The secret stands behind the # and is sent in bodies alone. */
import { isRecord } from '#domain/objects.ts'
import '#features/shipping/tracking/page/tracking.css'
import './answer.css'
import type { Locale } from '#contract/limits.ts'
import { el } from '#features/shipping/tracking/page/dom.client.ts'
import { ownLocale } from '#features/shipping/tracking/page/page-language.labels.ts'
import { wear } from '#features/shipping/tracking/page/shop-frame.client.ts'
import type { ShopFace } from '#features/shipping/tracking/tracking.schemas.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import type { AnswerPage, OfferedShop } from '../decision-links.schemas.ts'
import { speak, t, translate } from './answer-page.labels.ts'
import { type Deeds, type State, screen } from './answer-view.client.ts'

const patience = 20_000

const company = location.hostname.split('.')[0] ?? ''
const root = document.getElementById('root') ?? document.body
/** Says to those who cannot see it that something has changed. */
const herald = el('p', { class: 'unseen', role: 'status' })
const token = location.hash.slice(1)
let client_id = crypto.randomUUID()

const state: State = {
  shop: null,
  page: null,
  choice: null,
  fields: { postcode: '', until: '', address1: '', address2: '', new_postcode: '', city: '', shop_id: '' },
  shops: null,
  done: null,
  said: null,
  busy: false,
}

class Answer extends Error {
  readonly status: number
  readonly code: string
  readonly sentence: string
  constructor(status: number, body: unknown) {
    const { code, key, values } = isRecord(body) ? body : {}
    super(String(code ?? status))
    this.status = status
    this.code = String(code ?? '')
    const given = isRecord(values) ? Object.fromEntries(Object.entries(values).map(([name, one]) => [name, String(one)])) : {}
    this.sentence = typeof key === 'string' ? translate(key, given) : ''
  }
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`/api/${company}/${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience),
  })
  if (!response.ok) throw new Answer(response.status, await response.json().catch(() => null))
  return response.json()
}

function sentenceOf(error: unknown): string {
  if (error instanceof Answer) {
    if (error.status === 429) return t('There were too many tries from here. Wait ten minutes.')
    if (error.status < 500 && error.sentence !== '') return error.sentence
  }
  return t('The shop cannot be reached right now. Try again in a moment.')
}

function draw(): void {
  document.title = documentTitle(company, state.page ? t('Order {{number}}', { number: state.page.order_no }) : t('Your answer'))
  root.replaceChildren(...screen(state, company, deeds))
}

function go(change: Partial<State>): void {
  Object.assign(state, { said: null }, change)
  draw()
  scrollTo(0, 0)
  const title = root.querySelector('h1')
  if (title) {
    title.tabIndex = -1
    title.focus({ preventScroll: true })
    herald.textContent = title.textContent
  }
}

/** One thing at a time; what goes wrong is said above the form. */
async function attempt(work: () => Promise<void>): Promise<void> {
  if (state.busy) return
  Object.assign(state, { busy: true, said: null })
  draw()
  try {
    await work()
  } catch (error) {
    state.said = sentenceOf(error)
    // The link ended meanwhile: nothing can be chosen any more.
    if (error instanceof Answer && error.code === 'answer_link_not_found') Object.assign(state, { page: null, choice: null })
    herald.textContent = state.said
  } finally {
    state.busy = false
    draw()
  }
}

const deeds: Deeds = {
  choose(choice) {
    client_id = crypto.randomUUID()
    go({ choice, shops: null })
  },
  back: () => go({ choice: null, shops: null }),
  find: () =>
    attempt(async () => {
      const { shops } = await ask<{ shops: OfferedShop[] }>('decision_links/shops', { token, postcode: state.fields.postcode })
      go({ shops })
    }),
  confirm: () =>
    attempt(async () => {
      const { choice, fields, page } = state
      if (!choice || !page) return
      const { postcode, until, address1, address2, new_postcode, city, shop_id } = fields
      const done = await ask<NonNullable<State['done']>>('decision_links/answer', {
        ...{ token, choice, client_id, confirm: true },
        ...(choice === 'wait' && page.wait && { until }),
        ...(choice === 'cancel_line' && { postcode }),
        ...(choice === 'new_address' && { postcode, address: { address1, address2, postcode: new_postcode, city } }),
        ...(choice === 'other_shop' && { postcode, shop_id }),
      })
      go({ done })
    }),
  async chooseLanguage(lang: Locale) {
    await speak(lang)
    draw()
    root.querySelector<HTMLElement>('.language')?.focus()
  },
}

async function begin(): Promise<void> {
  try {
    if (/^[\w-]{22}$/.test(token)) {
      state.page = await ask<AnswerPage>('decision_links/open', { token })
      state.shop = state.page.company
      state.fields.until = state.page.wait?.from ?? ''
      wear(state.shop)
      await speak(state.page.locale)
    } else {
      await meetShop()
      state.said = t('The link is not complete. Copy all of it.')
    }
  } catch (error) {
    const isGone = error instanceof Answer && error.status < 500 && error.status !== 429
    if (isGone) await meetShop().catch(() => speak(ownLocale()))
    else await speak(ownLocale())
    state.said = isGone && state.shop === null ? t('There is no shop at this address') : sentenceOf(error)
    // Translated once the language is known.
    if (isGone && state.shop !== null && error instanceof Answer) state.said = translate(error.sentence)
  }
  draw()
}

async function meetShop(): Promise<void> {
  const { company: shop, locale } = await ask<{ company: ShopFace; locale: Locale }>('tracking/shop')
  state.shop = shop
  wear(shop)
  await speak(locale)
}

root.after(herald)
void begin()
