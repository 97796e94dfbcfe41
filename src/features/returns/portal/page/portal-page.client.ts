/** The return portal: no login, no cookie; what was chosen stays on the device until it is sent. */
import { isOneOf, isRecord } from '#domain/objects.ts'
import '#features/shipping/tracking/page/tracking.css'
import './portal.css'
import type { Locale } from '#contract/limits.ts'
import type { PortalMethod } from '#features/returns/returns/returns.codes.ts'
import { el } from '#features/shipping/tracking/page/dom.client.ts'
import { isLocale, ownLocale } from '#features/shipping/tracking/page/page-language.labels.ts'
import { wear } from '#features/shipping/tracking/page/shop-frame.client.ts'
import { documentTitle } from '#ui/navigation/document-title.ts'
import type { PortalOrder, PortalPage, PortalQuote, PortalReturn, PortalShop } from '../portal.schemas.ts'
import { locale, speak, t, translate } from './portal-page.labels.ts'
import { madeUpOrder, madeUpReturn, madeUpShops } from './portal-preview.client.ts'
import {
  agentOf,
  bodyOf,
  draftOf,
  dropDraft,
  type Entry,
  keepDraft,
  keepLink,
  keptLink,
  lineOf,
  needsPhoto,
  outcomesOf,
  type State,
  type Step,
  stepsOf,
  type View,
} from './portal-state.client.ts'
import { type Deeds, screen } from './portal-view.client.ts'

const patience = 20_000
/** Milliseconds between two looks at a running return. */
const lookAgain = 60_000
const mostPhotoBytes = 10_000_000

const company = location.hostname.split('.')[0] ?? ''
const isPreview = location.pathname === '/rma-landing-page-preview'
const root = document.getElementById('root') ?? document.body
/** Says to those who cannot see it that something has changed. */
const herald = el('p', { class: 'unseen', role: 'status' })
let client_id = crypto.randomUUID()
/** Of the next label in the place of another: a second try with it is no second label. */
let renewal_id = crypto.randomUUID()

const state: State = {
  page: null,
  view: 'find',
  link: null,
  order: null,
  pictures: new Map(),
  entries: [],
  method: 'own_label',
  shops: null,
  shop_id: null,
  fee: null,
  review: false,
  quote: null,
  asked: { order_no: '', key: '' },
  withdrawal: { name: '', order_no: '', email: '' },
  received_at: null,
  is_mailed: false,
  progress: null,
  isNew: false,
  isAsking: false,
  said: null,
  busy: false,
}

class Answer extends Error {
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly current: unknown
  constructor(status: number, body: unknown) {
    const { code, key, values, current } = isRecord(body) ? body : {}
    super(String(code ?? status))
    this.status = status
    this.code = String(code ?? '')
    this.current = current
    const given = isRecord(values) ? Object.fromEntries(Object.entries(values).map(([name, one]) => [name, String(one)])) : {}
    this.sentence = typeof key === 'string' ? translate(key, given) : ''
  }
}

async function ask<T>(
  path: string,
  {
    body,
    token,
    file,
    preview,
    patience: most = patience,
  }: { body?: object; token?: string | null; file?: Blob; preview?: string; patience?: number } = {},
): Promise<T> {
  const sent = file ?? (body && JSON.stringify(body))
  const response = await fetch(`/api/${company}/${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.type || 'application/octet-stream' }),
      ...(token && { 'x-return-link': token }),
      ...(preview && { 'x-preview-token': preview }),
    },
    ...(sent !== undefined && { method: 'POST', body: sent }),
    signal: AbortSignal.timeout(file ? patience * 6 : most),
  })
  if (!response.ok) throw new Answer(response.status, await response.json().catch(() => null))
  return response.json()
}

function sentenceOf(error: unknown): string {
  if (error instanceof Sentence) return error.message
  if (error instanceof Answer) {
    if (error.status === 429) return t('There were too many tries from here. Wait ten minutes.')
    if (error.status === 413) return t('A photo may be at most 10 MB.')
    if (error.status < 500 && error.sentence !== '') return error.sentence
  }
  return navigator.onLine ? t('The shop cannot be reached right now. Try again in a moment.') : t('You are offline. Your choice is kept.')
}

const search = (): URLSearchParams => new URLSearchParams(location.search)
const fragment = (): URLSearchParams => new URLSearchParams(location.hash.slice(1))
const shop = (): string => search().get('shop') ?? 'main'
const chosenLanguage = (): Locale | null => {
  const lang = search().get('lang')
  return isLocale(lang) ? lang : null
}

function moveTo(hash: string, how: 'pushState' | 'replaceState'): void {
  history[how]({ view: state.view }, '', `${location.pathname}${location.search}${hash}`)
}

function go(view: View): void {
  state.view = view
  state.said = null
  state.isAsking = false
  moveTo('', 'pushState')
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
  state.busy = true
  state.said = null
  draw()
  try {
    await work()
  } catch (error) {
    state.said = sentenceOf(error)
    if (error instanceof Answer && error.code === 'return_link_not_found' && state.view !== 'progress') {
      forget()
      state.view = 'find'
    }
    herald.textContent = state.said
  } finally {
    state.busy = false
    draw()
  }
}

function forget(): void {
  Object.assign(state, { link: null, order: null, entries: [], fee: null, quote: null })
  keepLink(null)
}

function take(order: PortalOrder, link: string | null): void {
  if (!state.page) return
  const [method = 'own_label'] = state.page.methods
  Object.assign(state, { order, link, method, shops: null, shop_id: null, fee: null, quote: null, entries: draftOf(order, state.page) })
  client_id = crypto.randomUUID()
  keepLink(link)
  void showPictures(order, link)
}

/** They come after the page, one after the other; a line without one stays as it is. */
async function showPictures(order: PortalOrder, link: string | null): Promise<void> {
  for (const { line_id } of order.lines.filter(line => line.has_picture && !state.pictures.has(line.line_id))) {
    if (state.order !== order || link === null) return
    const response = await fetch(`/api/${company}/returns/portal/picture/${line_id}`, {
      credentials: 'omit',
      headers: { 'x-return-link': link },
      signal: AbortSignal.timeout(patience),
    }).catch(() => null)
    if (!response?.ok) continue
    state.pictures.set(line_id, URL.createObjectURL(await response.blob()))
    // What is typed in another step is not disturbed.
    if (state.view === 'items') draw()
  }
}

const changed = (): void => {
  Object.assign(state, { fee: null, quote: null })
  keepDraft(state)
  draw()
}

const deeds: Deeds = {
  find: asked =>
    attempt(async () => {
      state.asked = asked
      if (isPreview) take(madeUpOrder(), null)
      else {
        const { link, order } = await ask<{ link: string; order: PortalOrder }>('returns/portal/find', { body: { ...asked, shop: shop() } })
        take(order, link)
      }
      go('items')
    }),
  another() {
    forget()
    state.progress = null
    go('find')
  },
  quantity(line_id, by) {
    const line = state.order && lineOf(state.order, line_id)
    if (!line || !state.page) return
    const own = state.entries.filter(one => one.line_id === line_id)
    const total = own.reduce((sum, one) => sum + one.qty, 0)
    const next = Math.max(0, Math.min(line.left, total + by))
    const [first] = own
    const kept: Entry = first ?? {
      ...{ line_id, qty: 0, reason: null, note: '', wish: '', photos: [], question: null, answer: '' },
      outcome: state.page.outcomes[0] ?? 'refund',
    }
    state.entries =
      state.order?.lines.flatMap(one => {
        if (one.line_id !== line_id) return state.entries.filter(entry => entry.line_id === one.line_id)
        return next === 0 ? [] : [{ ...kept, qty: next }]
      }) ?? []
    changed()
  },
  change(entry, fields) {
    Object.assign(entry, fields)
    changed()
  },
  write(entry, fields) {
    Object.assign(entry, fields)
    keepDraft(state)
  },
  split(entry) {
    const at = state.entries.indexOf(entry)
    if (at < 0 || entry.qty < 2) return
    entry.qty--
    state.entries.splice(at + 1, 0, { ...entry, qty: 1, reason: null, note: '', wish: '', photos: [], question: null, answer: '' })
    changed()
  },
  addPhoto: (entry, file) =>
    attempt(async () => {
      if (file.size > mostPhotoBytes) {
        state.said = t('A photo may be at most 10 MB.')
        return
      }
      const { photo_id } = isPreview
        ? { photo_id: 1 }
        : await ask<{ photo_id: number }>('returns/portal/photo', { token: state.link, file })
      entry.photos.push({ id: photo_id, url: URL.createObjectURL(file) })
    }),
  removePhoto(entry, place) {
    entry.photos.splice(place, 1)
    changed()
  },
  chooseMethod(method: PortalMethod) {
    state.method = method
    if (state.shops?.agent_code !== agentOf(state)) Object.assign(state, { shops: null, shop_id: null })
    // The method has its price.
    void attempt(() => quoteThen(undefined))
  },
  findShops: postcode =>
    attempt(async () => {
      const agent_code = agentOf(state)
      if (agent_code === null || !state.order) return
      const query = new URLSearchParams({ agent_code, country: state.order.country, postcode })
      const rows = isPreview ? madeUpShops() : await ask<PortalShop[]>(`returns/shops?${query}`)
      Object.assign(state, { shops: { agent_code, postcode, rows }, shop_id: null })
    }),
  chooseShop(shop_id) {
    state.shop_id = shop_id
    draw()
  },
  next() {
    const { page, order, view } = state
    if (!page || !order) return
    const steps = stepsOf(page)
    const missing = missingIn(page, order)
    if (missing !== null) {
      state.said = missing
      herald.textContent = missing
      draw()
      scrollTo(0, 0)
      return
    }
    const following = isOneOf(steps, view) ? steps[steps.indexOf(view) + 1] : undefined
    if (view === 'why' || following === 'how') void attempt(() => quoteThen(following))
    else if (following) go(following)
  },
  back: () => history.back(),
  submit: () =>
    attempt(async () => {
      if (isPreview) {
        state.progress = madeUpReturn(state)
        state.isNew = true
        go('progress')
        state.said = t('Nothing is sent from a preview.')
        return
      }
      try {
        const { link } = await ask<{ link: string }>('returns/portal/submit', {
          body: { ...bodyOf(state, locale()), client_id, fee_seen: state.fee ?? 0 },
          token: state.link,
        })
        state.progress = await ask<PortalReturn>('returns/portal/return', { token: link })
        dropDraft()
        forget()
        state.isNew = true
        go('progress')
        moveTo(`#return=${link}`, 'replaceState')
        await makeFirstLabel(link)
      } catch (error) {
        if (error instanceof Answer && error.code === 'price_changed' && isRecord(error.current)) state.fee = Number(error.current.fee)
        // What is left has changed: it is read again with the refusal.
        if (error instanceof Answer && error.code === 'not_returnable')
          state.order = await ask<PortalOrder>('returns/portal/order', { token: state.link })
        throw error
      }
    }),
  withdrawal() {
    state.withdrawal = { ...state.withdrawal, order_no: state.order?.order_no ?? (state.asked.order_no || state.withdrawal.order_no) }
    client_id = crypto.randomUUID()
    go('withdraw')
  },
  reviewWithdrawal(withdrawal) {
    state.withdrawal = withdrawal
    go('confirm')
  },
  withdraw: () =>
    attempt(async () => {
      const { entries, withdrawal, link } = state
      const lines = [...Map.groupBy(entries, one => one.line_id)].map(([line_id, own]) => ({
        line_id,
        qty: own.reduce((sum, one) => sum + one.qty, 0),
      }))
      const { received_at, is_mailed } = isPreview
        ? { received_at: new Date().toISOString(), is_mailed: true }
        : await ask<{ received_at: string; is_mailed: boolean }>('returns/portal/withdraw', {
            body: { ...withdrawal, lines: link === null ? [] : lines, confirm: true, client_id, lang: locale() },
            token: link,
          })
      Object.assign(state, { received_at, is_mailed })
      dropDraft()
      forget()
      go('withdrawn')
    }),
  makeLabel: () => attempt(() => askLabel('label')),
  newLabel: () =>
    attempt(async () => {
      if (isPreview) return
      const token = fragment().get('return')
      try {
        state.progress = await ask<PortalReturn>('returns/portal/renew', {
          body: { client_id: renewal_id },
          token,
          patience: labelPatience,
        })
      } catch (error) {
        // It is on its way, or was replaced in another window.
        if (error instanceof Answer && error.status === 409) state.progress = await ask<PortalReturn>('returns/portal/return', { token })
        throw error
      }
      renewal_id = crypto.randomUUID()
    }),
  ownLabel: () => attempt(() => askLabel('own_label')),
  lookAgain: () =>
    attempt(async () => {
      state.progress = await ask<PortalReturn>('returns/portal/return', { token: fragment().get('return') })
    }),
  openLabel: () =>
    attempt(async () => {
      const response = await fetch(`/api/${company}/returns/portal/label`, {
        credentials: 'omit',
        headers: { 'x-return-link': fragment().get('return') ?? '' },
        signal: AbortSignal.timeout(patience),
      })
      if (!response.ok) throw new Answer(response.status, await response.json().catch(() => null))
      const link = el('a', { href: URL.createObjectURL(await response.blob()), download: `${state.progress?.rma_no ?? 'label'}.pdf` })
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    }),
  askCancel(isAsking) {
    state.isAsking = isAsking
    draw()
  },
  cancel: () =>
    attempt(async () => {
      if (!isPreview) state.progress = await ask<PortalReturn>('returns/portal/cancel', { body: {}, token: fragment().get('return') })
      state.isAsking = false
    }),
  async chooseLanguage(lang) {
    const params = search()
    params.set('lang', lang)
    history.replaceState(history.state, '', `${location.pathname}?${params}${location.hash}`)
    await attempt(meet)
    root.querySelector<HTMLElement>('.language')?.focus()
  },
}

/** What a courier takes at most, and a little more. */
const labelPatience = 45_000

async function askLabel(path: 'label' | 'own_label', token = fragment().get('return')): Promise<void> {
  if (isPreview) return
  state.progress = await ask<PortalReturn>(`returns/portal/${path}`, { body: {}, token, patience: labelPatience })
}

/** Right after the return was sent; where it fails, its page has the button. */
async function makeFirstLabel(link: string): Promise<void> {
  const { method, status, label } = state.progress ?? {}
  if ((method === 'label' || method === 'qr') && status === 'approved' && label?.state === 'none') await askLabel('label', link)
}

const priceOfMethod = (method: PortalMethod, page: State['page']): number =>
  (method === 'label' ? page?.label_price : method === 'qr' ? page?.qr_price : 0) ?? 0

/** What the shop's rules say of the choice: an item that cannot come back is said here, and the customer stays at the reasons. */
async function quoteThen(following: Step | undefined): Promise<void> {
  if (isPreview) {
    const { page, entries } = state
    const isFree = entries.every(one => page?.reasons.find(({ code }) => code === one.reason)?.fault !== 'customer')
    state.fee = isFree ? 0 : (page?.fee ?? 0) + priceOfMethod(state.method, page)
    // The question of a rule stands at the first item, whatever its conditions are.
    const [first] = entries
    const name = (state.order && first && lineOf(state.order, first.line_id)?.name) ?? ''
    if (first && page?.question && first.question === null && state.view === 'why') {
      first.question = page.question
      throw new Sentence(translate('The shop has a question about {{name}}.', { name }))
    }
    if (first?.question?.required && first.answer === '') throw new Sentence(translate('Answer the question about {{name}}.', { name }))
  } else {
    const quote = await ask<PortalQuote>('returns/portal/quote', { body: bodyOf(state, locale()), token: state.link })
    Object.assign(state, { quote, review: quote.review })
    const refused = quote.items.find(item => item.refused !== null)?.refused
    // A question is read before the next step, also one that needs no answer.
    const asked = state.entries.find((entry, place) => (quote.items[place]?.question?.text ?? null) !== (entry.question?.text ?? null))
    for (const [place, entry] of state.entries.entries()) entry.question = quote.items[place]?.question ?? null
    const [needed] = quote.needs
    if (refused) throw new Sentence(translate(refused.text, refused.values))
    const nameOf = (line_id: number) => (state.order && lineOf(state.order, line_id)?.name) ?? ''
    if (asked?.question && state.view === 'why')
      throw new Sentence(translate('The shop has a question about {{name}}.', { name: nameOf(asked.line_id) }))
    if (needed) {
      const name = nameOf(needed.line_id)
      if (needed.what === 'answer') throw new Sentence(translate('Answer the question about {{name}}.', { name }))
      throw new Sentence(
        needed.what === 'photo'
          ? translate('Add a photo for {{name}}.', { name })
          : translate('Describe the problem with {{name}}.', { name }),
      )
    }
    if (quote.methods.length === 0) throw new Sentence(translate('These items cannot be sent together. Make a return for each.'))
    const { entries, method } = state
    let settled = true
    for (const entry of entries) {
      const outcomes = outcomesOf(state, entry)
      if (outcomes.includes(entry.outcome)) continue
      entry.outcome = outcomes[0] ?? 'refund'
      settled = false
    }
    state.method = quote.methods.includes(method) ? method : (quote.methods[0] ?? method)
    // Another outcome may cost something else.
    if (!settled) return quoteThen(following)
    if (following === 'how' || state.view === 'how') state.fee = quote.fee
  }
  if (following) go(following)
}

/** What hinders the next step, in the reader's language already. */
class Sentence extends Error {}

/** What still has to be chosen before the next step. */
function missingIn(page: PortalPage, order: PortalOrder): string | null {
  const { entries, view } = state
  if (entries.length === 0) return t('Choose at least one item.')
  if (view !== 'why') return null
  for (const entry of entries) {
    const name = lineOf(order, entry.line_id)?.name ?? ''
    const reason = page.reasons.find(({ code }) => code === entry.reason)
    if (!reason) return t('Choose a reason for {{name}}.', { name })
    if (needsPhoto(state, entry) && entry.photos.length === 0) return translate('Add a photo for {{name}}.', { name })
    if (reason.evidence_text === 'required' && entry.note.trim() === '') return translate('Describe the problem with {{name}}.', { name })
  }
  return null
}

function draw(): void {
  const { page, order, progress } = state
  const number = progress?.order_no ?? order?.order_no
  document.title = documentTitle(company, number ? t('Order {{number}}', { number }) : t('Return'))
  root.replaceChildren(...screen(state, company, deeds))
  root.classList.toggle('with-bar', ['items', 'why', 'what', 'how'].includes(state.view))
  const { style } = document.documentElement
  const backdrop = page?.pictures.background
  if (page && backdrop)
    style.setProperty(
      '--backdrop',
      `url("/api/${company}/rma/${page.locale}/img/background?shop=${encodeURIComponent(page.pictures_of)}&v=${backdrop}")`,
    )
  else style.removeProperty('--backdrop')
}

/** The shop, its texts and its words. */
async function meet(): Promise<void> {
  const lang = chosenLanguage()
  const token = fragment().get('token') ?? ''
  const query = new URLSearchParams({ shop: shop(), ...(lang && { lang }), ...(isPreview && { preview: 'true' }) })
  state.page = await ask<PortalPage>(`returns/portal?${query}`, isPreview && token !== '' ? { preview: token } : {})
  wear(state.page.company)
  await speak(lang ?? state.page.locale)
}

async function begin(): Promise<void> {
  const hash = fragment()
  try {
    await meet()
    const link = hash.get('return')
    const kept = keptLink()
    if (link !== null) {
      state.progress = await ask<PortalReturn>('returns/portal/return', { token: link })
      state.view = 'progress'
    } else if (hash.has('order')) state.asked = { order_no: hash.get('order') ?? '', key: '' }
    else if (kept !== null && !isPreview) {
      // An old link is no mistake: the order is found again.
      const order = await ask<PortalOrder>('returns/portal/order', { token: kept }).catch(() => null)
      if (order) {
        take(order, kept)
        state.view = 'items'
      } else keepLink(null)
    }
  } catch (error) {
    if (state.page === null) await speak(chosenLanguage() ?? ownLocale())
    state.said =
      isPreview && error instanceof Answer && error.status === 404
        ? t('This preview has ended. Open it again from the settings.')
        : error instanceof Answer && error.status === 404 && state.page === null
          ? t('There is no shop at this address')
          : sentenceOf(error)
  }
  history.replaceState({ view: state.view }, '')
  draw()
}

addEventListener('popstate', ({ state: kept }) => {
  const view = isRecord(kept) ? String(kept.view) : 'find'
  const needsOrder = ['items', 'why', 'what', 'how'].includes(view)
  const known = ['find', 'items', 'why', 'what', 'how', 'withdraw', 'confirm'] as const
  const shown = known.find(one => one === view) ?? 'find'
  Object.assign(state, { view: needsOrder && state.order === null ? 'find' : shown, said: null, isAsking: false })
  draw()
})

async function lookWhileVisible(): Promise<void> {
  const link = fragment().get('return')
  if (document.visibilityState !== 'visible' || state.view !== 'progress' || link === null || isPreview || state.busy) return
  // A look that fails is repeated with the next one.
  const fresh = await ask<PortalReturn>('returns/portal/return', { token: link }).catch(() => null)
  if (!fresh || JSON.stringify(fresh) === JSON.stringify(state.progress)) return
  state.progress = fresh
  draw()
}

root.after(herald)
void begin()
setInterval(() => void lookWhileVisible(), lookAgain)
