/** What the portal shows: the search, four steps, the withdrawal, and a return on its way. */

import type { Locale } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { labelRefusals, type PortalMethod } from '#features/returns/returns/returns.codes.ts'
import { type Child, el, icon, icons } from '#features/shipping/tracking/page/dom.client.ts'
import { languageChoice, shopHeader, waysToShop } from '#features/shipping/tracking/page/shop-frame.client.ts'
import type { ProgressStep } from '../portal.codes.ts'
import type { PortalOrder, PortalPage, PortalReturn } from '../portal.schemas.ts'
import { locale, t, tag, translate } from './portal-page.labels.ts'
import { agentOf, type Entry, goodsOf, lineOf, needsPhoto, type Outcome, outcomesOf, type State, stepsOf } from './portal-state.client.ts'

export interface Deeds {
  find: (asked: State['asked']) => void
  another: () => void
  quantity: (line_id: number, by: number) => void
  /** Draws again. */
  change: (entry: Entry, fields: Partial<Entry>) => void
  /** Keeps what is being typed, without drawing. */
  write: (entry: Entry, fields: Partial<Entry>) => void
  split: (entry: Entry) => void
  addPhoto: (entry: Entry, file: File) => void
  removePhoto: (entry: Entry, place: number) => void
  chooseMethod: (method: PortalMethod) => void
  findShops: (postcode: string) => void
  chooseShop: (id: string | null) => void
  next: () => void
  back: () => void
  submit: () => void
  withdrawal: () => void
  reviewWithdrawal: (withdrawal: State['withdrawal']) => void
  withdraw: () => void
  makeLabel: () => void
  openLabel: () => void
  newLabel: () => void
  ownLabel: () => void
  lookAgain: () => void
  askCancel: (isAsking: boolean) => void
  cancel: () => void
  chooseLanguage: (locale: Locale) => void
}

const mostPhotosOfPiece = 5

const outcomeWords = { refund: 'Refund', exchange: 'Exchange', credit: 'Credit', repair: 'Repair' } as const
const stepTitles = { items: 'Which items?', why: 'Why?', what: 'What would you like?', how: 'How do you send it?' } as const

export function screen(state: State, company: string, deeds: Deeds): readonly Node[] {
  const { page, said } = state
  const logo = page && (page.pictures.logo !== null || page.company.has_logo) ? picture(page, company, 'logo') : null
  const banner = page && page.pictures.header !== null && state.view === 'find' && picture(page, company, 'header')
  return [
    shopHeader(page?.company ?? null, logo),
    el(
      'main',
      {},
      page?.is_preview && el('p', { class: 'preview' }, t('Preview')),
      banner && el('img', { class: 'banner', src: banner, alt: '' }),
      el(
        'div',
        { class: 'card' },
        el(
          'section',
          {},
          said !== null && el('p', { class: 'said', role: 'alert' }, icon(icons.stop), el('span', {}, said)),
          ...content(state, deeds),
        ),
      ),
      page && page.texts.legal !== '' && el('p', { class: 'dim written' }, page.texts.legal),
    ),
    ...(page
      ? [
          el(
            'div',
            {},
            page.texts.support !== '' && el('p', { class: 'written support' }, page.texts.support),
            waysToShop(page.company, t('Questions about your return?'), {
              mail: () => t('Write to the shop'),
              phone: () => t('Call the shop'),
              home: () => t('Visit the shop'),
            }),
          ),
          languageChoice(locale(), t('Language'), deeds.chooseLanguage, page.languages.includes(locale()) ? page.languages : undefined),
        ]
      : []),
  ]
}

const picture = ({ locale: language, pictures, pictures_of }: PortalPage, company: string, target: 'logo' | 'header'): string =>
  `/api/${company}/rma/${language}/img/${target}?shop=${encodeURIComponent(pictures_of)}${pictures[target] === null ? '' : `&v=${pictures[target]}`}`

function content(state: State, deeds: Deeds): readonly Child[] {
  const { page, order, progress, view } = state
  if (!page) return []
  if (view === 'progress') return progress ? progressView(progress, page, state, deeds) : [quiet(t('Find another order'), deeds.another)]
  if (view === 'withdraw') return withdrawView(state, deeds)
  if (view === 'confirm') return confirmView(state, deeds)
  if (view === 'withdrawn') return withdrawnView(state, page, deeds)
  if (view === 'find' || !order) return findView(state, page, deeds)
  return stepView(state, page, order, deeds)
}

const quiet = (text: string, click: () => void) => el('button', { type: 'button', class: 'quiet', click }, text)

/** A field that keeps what is typed in the form itself. */
function field(name: string, label: string, value: string, more: Parameters<typeof el<'input'>>[1] = {}) {
  const input = el('input', { id: name, name, required: true, value, ...more })
  return { input, parts: [el('label', { for: name }, label), input] as const }
}

function findView({ asked, busy }: State, page: PortalPage, deeds: Deeds): readonly Child[] {
  const withdraw = quiet(t('Withdraw from contract here'), deeds.withdrawal)
  if (!page.is_open) return [el('h1', {}, t('Return items')), withdraw, el('p', {}, t('Returns are not open here. Write to the shop.'))]
  const number = field('order_no', t('Order number'), asked.order_no, { maxlength: 60, autocomplete: 'off', autocapitalize: 'characters' })
  const key = field('key', t('Postcode or e-mail'), asked.key, { maxlength: 254, autocomplete: 'postal-code' })
  const submit = (event: Event) => {
    event.preventDefault()
    deeds.find({ order_no: number.input.value.trim(), key: key.input.value.trim() })
  }
  return [
    el('h1', {}, t('Return items')),
    page.texts.greeting !== '' && el('p', { class: 'written' }, page.texts.greeting),
    withdraw,
    el(
      'form',
      { class: 'fields', submit },
      el('p', { class: 'dim' }, t('Both are in the e-mail that confirmed your order.')),
      ...number.parts,
      ...key.parts,
      el('button', { type: 'submit', 'aria-disabled': busy ? 'true' : null }, busy ? t('Looking …') : t('Find order')),
    ),
  ]
}

function stepView(state: State, page: PortalPage, order: PortalOrder, deeds: Deeds): readonly Child[] {
  const steps = stepsOf(page)
  const view = isOneOf(steps, state.view) ? state.view : 'items'
  const isFirst = view === 'items'
  const isLast = view === 'how'
  const parts = {
    items: () => itemsStep(state, order, deeds),
    why: () => whyStep(state, page, order, deeds),
    what: () => whatStep(state, order, deeds),
    how: () => howStep(state, page, order, deeds),
  }[view]()
  const nothing = order.is_over || order.lines.every(line => line.left === 0)
  const lastDay = state.quote?.last_day ?? order.last_day
  const label = isLast ? (state.busy ? t('Sending …') : t('Send return')) : t('Continue')
  return [
    el(
      'p',
      { class: 'dim' },
      `${t('Order {{number}}', { number: order.order_no })} · ${t('Step {{number}} of {{count}}', { number: steps.indexOf(view) + 1, count: steps.length })}`,
    ),
    el('h1', {}, t(stepTitles[view])),
    ...parts,
    el(
      'div',
      { class: 'below' },
      isFirst ? quiet(t('Find another order'), deeds.another) : quiet(t('Back'), deeds.back),
      quiet(t('Withdraw from contract here'), deeds.withdrawal),
    ),
    el(
      'div',
      { class: 'bar' },
      el(
        'p',
        { class: 'sums' },
        el(
          'strong',
          {},
          `${t('Total back')}: ${money(Math.max(0, goodsOf(state) - (state.fee ?? expectedFee(state, page))), order.currency)}`,
        ),
        lastDay !== null && el('span', { class: 'dim' }, t('Return by {{day}}', { day: dayText(lastDay) })),
      ),
      !nothing &&
        el(
          'button',
          { type: 'button', class: 'wide', 'aria-disabled': state.busy ? 'true' : null, click: isLast ? deeds.submit : deeds.next },
          label,
        ),
    ),
  ]
}

/** Until the server has said it. */
function expectedFee({ entries }: State, page: PortalPage): number {
  const faults = entries.map(one => page.reasons.find(({ code }) => code === one.reason)?.fault)
  return faults.length > 0 && faults.every(fault => fault === 'customer') ? page.fee : 0
}

function itemsStep({ entries, pictures }: State, order: PortalOrder, deeds: Deeds): readonly Child[] {
  if (order.is_over)
    return [el('p', { class: 'said' }, icon(icons.late), el('span', {}, translate('The time to return this order is over.')))]
  return [
    order.lines.every(line => line.left === 0) && el('p', {}, t('Nothing of this order can be returned now.')),
    el(
      'ul',
      { class: 'choices' },
      ...order.lines.map(({ line_id, name, left, has_picture }) => {
        const qty = entries.filter(one => one.line_id === line_id).reduce((sum, one) => sum + one.qty, 0)
        const step = (by: number, label: string, sign: string, isOff: boolean) =>
          el(
            'button',
            { type: 'button', class: 'step', 'aria-label': `${label}: ${name}`, disabled: isOff, click: () => deeds.quantity(line_id, by) },
            sign,
          )
        return el(
          'li',
          { class: `choice${qty > 0 ? ' chosen' : ''}${left === 0 ? ' off' : ''}` },
          has_picture &&
            el('span', { class: 'product' }, pictures.has(line_id) && el('img', { src: pictures.get(line_id) ?? '', alt: '' })),
          el(
            'span',
            { class: 'grow' },
            el('span', { class: 'title' }, qty > 0 && icon(icons.done), name),
            el('span', { class: 'dim' }, left === 0 ? t('Already returned') : t('{{count}} can be returned', { count: left })),
          ),
          left > 0 &&
            el(
              'span',
              { class: 'steps' },
              step(-1, t('Fewer'), '−', qty === 0),
              el('output', { class: 'count' }, String(qty)),
              step(1, t('More'), '+', qty === left),
            ),
        )
      }),
    ),
  ]
}

const entryTitle = (entry: Entry, order: PortalOrder): string => `${entry.qty} × ${lineOf(order, entry.line_id)?.name ?? ''}`

/** Rows of 56 pixels, one of which is chosen. */
function rows<V extends string>(
  name: string,
  label: string,
  options: readonly { value: V; text: string; help?: string | null; end?: string | null }[],
  current: V | null,
  choose: (value: V) => void,
): HTMLElement {
  return el(
    'div',
    { role: 'radiogroup', 'aria-label': label, class: 'choices' },
    ...options.map(({ value, text, help, end }) =>
      el(
        'label',
        { class: `choice${value === current ? ' chosen' : ''}` },
        el('input', { type: 'radio', name, value, checked: value === current, change: () => choose(value) }),
        el('span', { class: 'grow' }, el('span', { class: 'title' }, text), help && el('span', { class: 'dim' }, help)),
        end && el('span', {}, end),
      ),
    ),
  )
}

function whyStep(state: State, page: PortalPage, order: PortalOrder, deeds: Deeds): readonly Child[] {
  const { entries, busy } = state
  return entries.map((entry, place) => {
    const title = entryTitle(entry, order)
    const reason = page.reasons.find(({ code }) => code === entry.reason)
    const options = page.reasons.map(({ code, text }) => ({ value: code, text: translate(text) }))
    const note = el('textarea', {
      id: `note-${place}`,
      rows: 3,
      maxlength: 500,
      input: ({ currentTarget }: Event) =>
        currentTarget instanceof HTMLTextAreaElement && deeds.write(entry, { note: currentTarget.value }),
    })
    note.value = entry.note
    const answer = el('textarea', {
      id: `answer-${place}`,
      rows: 3,
      maxlength: 500,
      input: ({ currentTarget }: Event) =>
        currentTarget instanceof HTMLTextAreaElement && deeds.write(entry, { answer: currentTarget.value }),
    })
    answer.value = entry.answer
    return el(
      'fieldset',
      { class: 'entry' },
      el('legend', {}, title),
      // The others are hidden once one is chosen, so that a phone needs no scrolling.
      rows(`reason-${place}`, `${t('Why?')} ${title}`, options, entry.reason, code => deeds.change(entry, { reason: code })),
      reason && reason.evidence_text !== 'off' && [el('label', { for: `note-${place}` }, t('Describe the problem')), note],
      reason && (reason.evidence_photo !== 'off' || needsPhoto(state, entry)) && photos(entry, place, busy, deeds),
      entry.question !== null && [el('label', { for: `answer-${place}` }, entry.question.text), answer],
      entry.qty > 1 && quiet(t('Another reason for one item'), () => deeds.split(entry)),
    )
  })
}

function photos(entry: Entry, place: number, busy: boolean, deeds: Deeds): HTMLElement {
  const file = el('input', {
    id: `photo-${place}`,
    type: 'file',
    accept: 'image/*',
    class: 'unseen',
    change: ({ currentTarget }: Event) => {
      const chosen = currentTarget instanceof HTMLInputElement ? currentTarget.files?.[0] : undefined
      if (chosen) deeds.addPhoto(entry, chosen)
    },
  })
  return el(
    'div',
    { class: 'photos', role: 'group', 'aria-label': t('Photos: {{count}}', { count: entry.photos.length }) },
    ...entry.photos.map(({ url }, at) =>
      el(
        'button',
        {
          type: 'button',
          class: 'photo',
          'aria-label': t('Remove photo {{number}}', { number: at + 1 }),
          click: () => deeds.removePhoto(entry, at),
        },
        url !== null && el('img', { src: url, alt: '' }),
        el('span', { 'aria-hidden': 'true' }, '×'),
      ),
    ),
    entry.photos.length < mostPhotosOfPiece &&
      el('label', { for: `photo-${place}`, class: 'button' }, busy ? t('Sending …') : t('Add photo')),
    entry.photos.length < mostPhotosOfPiece && file,
  )
}

function whatStep(state: State, order: PortalOrder, deeds: Deeds): readonly Child[] {
  return state.entries.map((entry, place) => {
    const title = entryTitle(entry, order)
    const options = outcomesOf(state, entry).map(value => ({
      value,
      text: t(outcomeWords[value]),
      end:
        value === 'refund' || value === 'credit'
          ? money(goodsOf({ order, entries: [{ ...entry, outcome: value }] }), order.currency)
          : null,
    }))
    const wish = el('textarea', {
      id: `wish-${place}`,
      rows: 2,
      maxlength: 200,
      input: ({ currentTarget }: Event) =>
        currentTarget instanceof HTMLTextAreaElement && deeds.write(entry, { wish: currentTarget.value }),
    })
    wish.value = entry.wish
    return el(
      'fieldset',
      { class: 'entry' },
      el('legend', {}, title),
      rows<Outcome>(`outcome-${place}`, `${t('What would you like?')} ${title}`, options, entry.outcome, outcome =>
        deeds.change(entry, { outcome }),
      ),
      entry.outcome === 'exchange' && [el('label', { for: `wish-${place}` }, t('What would you like instead?')), wish],
    )
  })
}

function howStep(state: State, page: PortalPage, order: PortalOrder, deeds: Deeds): readonly Child[] {
  const prices = { label: state.quote?.postage ?? page.label_price, qr: state.quote?.qr_postage ?? page.qr_price }
  const priceText = (price: number) => (price === 0 ? t('Free of charge') : money(price, order.currency))
  const postage = state.method === 'label' || state.method === 'qr' ? prices[state.method] : 0
  const methods = {
    label: {
      text: t('Courier label'),
      help: t('You get a label to print, and hand the parcel in.'),
      end: priceText(prices.label),
    },
    qr: {
      text: t('QR code'),
      help: t('You show it where you hand the parcel in. You print nothing.'),
      end: priceText(prices.qr),
    },
    own_label: { text: t('My own label'), help: t('You pack and label the parcel yourself, and pay the courier.') },
    bring: { text: t('Bring it to us'), help: t('You hand it over yourself.') },
  }
  const keeps = (place: number) => state.quote?.items[place]?.keeps ?? false
  const keepsAll = state.entries.length > 0 && state.entries.every((_, place) => keeps(place))
  const fee = state.fee ?? 0
  const goods = goodsOf(state)
  const fact = (caption: string, text: string) => el('div', {}, el('dt', {}, caption), el('dd', {}, text))
  return [
    keepsAll
      ? el('p', {}, t('You keep these items and send nothing.'))
      : rows(
          'method',
          t('How do you send it?'),
          (state.quote?.methods ?? page.methods).map(value => ({ value, ...methods[value] })),
          state.method,
          deeds.chooseMethod,
        ),
    !keepsAll && agentOf(state) !== null && shopsPart(state, order, deeds),
    !keepsAll &&
      page.texts.return_address !== '' &&
      el('p', { class: 'written' }, el('span', { class: 'dim' }, t('Our address')), el('br'), page.texts.return_address),
    el('h2', {}, t('Items in the return')),
    el(
      'ul',
      { class: 'items' },
      ...state.entries.map((one, place) =>
        itemRow(one.qty, lineOf(order, one.line_id)?.name ?? '', outcomeText(one.outcome, keeps(place))),
      ),
    ),
    el(
      'dl',
      { class: 'summary' },
      fact(t('Value of items'), money(goods, order.currency)),
      fact(postage > 0 ? t('Fee and label') : t('Return fee'), money(fee === 0 ? 0 : -fee, order.currency)),
      fact(t('Total back'), money(goods - fee, order.currency)),
    ),
    state.review && el('p', { class: 'dim' }, t('The shop checks the return before you send it.')),
  ]
}

/** Where the parcel is handed in: a choice that may be left open. */
function shopsPart({ shops, shop_id, asked, busy }: State, order: PortalOrder, deeds: Deeds): HTMLElement {
  const input = el('input', {
    ...{ id: 'shop-postcode', value: shops?.postcode ?? (asked.key.includes('@') ? '' : asked.key), maxlength: 20 },
    autocomplete: 'postal-code',
  })
  const submit = (event: Event) => {
    event.preventDefault()
    if (input.value.trim() !== '') deeds.findShops(input.value.trim())
  }
  const far = new Intl.NumberFormat(tag(), { style: 'unit', unit: 'kilometer', maximumFractionDigits: 1 })
  return el(
    'section',
    { class: 'entry', 'aria-label': t('Parcel shop') },
    el('h2', {}, t('Where do you hand it in?')),
    el(
      'form',
      { class: 'near', submit },
      el('label', { for: 'shop-postcode' }, t('Postcode ({{country}})', { country: order.country })),
      input,
      el(
        'button',
        { type: 'submit', class: 'plain', 'aria-disabled': busy ? 'true' : null },
        busy ? t('Looking …') : t('Show parcel shops'),
      ),
    ),
    shops !== null && shops.rows.length === 0 && el('p', {}, t('No parcel shops are known here. You can hand it in without choosing one.')),
    shops !== null &&
      shops.rows.length > 0 &&
      rows(
        'shop',
        t('Parcel shop'),
        [
          ...shops.rows.map(one => ({
            value: one.id,
            text: one.name,
            help: [`${one.address1}, ${one.postcode} ${one.city}`, ...one.opening_hours.slice(0, 2)].join(' · '),
            end: one.distance_m === null ? null : far.format(one.distance_m / 1_000),
          })),
          { value: '', text: t('I decide later') },
        ],
        shop_id ?? '',
        id => deeds.chooseShop(id === '' ? null : id),
      ),
  )
}

const outcomeText = (outcome: keyof typeof outcomeWords, isKept: boolean): string =>
  isKept ? `${t(outcomeWords[outcome])} · ${t('You keep it')}` : t(outcomeWords[outcome])

const itemRow = (qty: number, name: string, more: string | null) =>
  el('li', {}, el('span', { class: 'qty' }, `${qty} ×`), el('span', {}, name, more && el('span', { class: 'dim' }, ` · ${more}`)))

function withdrawView(state: State, deeds: Deeds): readonly Child[] {
  const { withdrawal, order, entries } = state
  const name = field('name', t('Name'), withdrawal.name, { maxlength: 120, autocomplete: 'name' })
  const number = field('order_no', t('Order number'), withdrawal.order_no, {
    maxlength: 60,
    autocomplete: 'off',
    autocapitalize: 'characters',
  })
  const email = field('email', t('E-mail'), withdrawal.email, { type: 'email', maxlength: 254, autocomplete: 'email' })
  const submit = (event: Event) => {
    event.preventDefault()
    deeds.reviewWithdrawal({ name: name.input.value.trim(), order_no: number.input.value.trim(), email: email.input.value.trim() })
  }
  return [
    el('h1', {}, t('Withdraw from contract')),
    el('p', {}, t('You need no reason. Write the order that you withdraw from.')),
    el(
      'p',
      { class: 'dim' },
      order && entries.length > 0
        ? t('Withdrawal covers the items that you have chosen.')
        : t('Withdrawal covers the whole order. For single items, find your order first.'),
    ),
    el(
      'form',
      { class: 'fields', submit },
      ...name.parts,
      ...number.parts,
      ...email.parts,
      el('p', { class: 'dim' }, t('The confirmation goes to this address.')),
      el('button', { type: 'submit' }, t('Continue')),
    ),
    el('div', { class: 'below' }, quiet(t('Back'), deeds.back)),
  ]
}

function confirmView({ withdrawal, order, entries, busy }: State, deeds: Deeds): readonly Child[] {
  const fact = (caption: string, text: string) => el('div', {}, el('dt', {}, caption), el('dd', {}, text))
  return [
    el('h1', {}, t('Withdraw from contract')),
    el('p', {}, t('I withdraw from the contract of this order.')),
    el(
      'dl',
      { class: 'summary' },
      fact(t('Order number'), withdrawal.order_no),
      fact(t('Name'), withdrawal.name),
      fact(t('E-mail'), withdrawal.email),
    ),
    order &&
      entries.length > 0 &&
      el('ul', { class: 'items' }, ...entries.map(one => itemRow(one.qty, lineOf(order, one.line_id)?.name ?? '', null))),
    el(
      'button',
      { type: 'button', class: 'wide', 'aria-disabled': busy ? 'true' : null, click: deeds.withdraw },
      busy ? t('Sending …') : t('Confirm withdrawal'),
    ),
    el('div', { class: 'below' }, quiet(t('Back'), deeds.back)),
  ]
}

function withdrawnView({ received_at, is_mailed, withdrawal }: State, page: PortalPage, deeds: Deeds): readonly Child[] {
  const time = received_at === null ? '' : instantText(received_at, page.time_zone, { dateStyle: 'long', timeStyle: 'medium' })
  return [
    el('h1', { class: 'done' }, icon(icons.done), t('We have received your withdrawal')),
    el(
      'p',
      {},
      is_mailed
        ? t('Received on {{time}}. A confirmation is on its way to {{email}}.', { time, email: withdrawal.email })
        : t('Received on {{time}}. Keep a picture of this page.', { time }),
    ),
    quiet(t('Find another order'), deeds.another),
  ]
}

const progressNames = [
  ['requested', 'Requested', 'ordered'],
  ['sent', 'Sent', 'on_its_way'],
  ['received', 'Received', 'packed'],
  ['checked', 'Checked', 'done'],
  ['money', 'Money back', 'back'],
] as const satisfies readonly (readonly [ProgressStep, string, keyof typeof icons])[]

function headline({ status, step, withdrawal }: PortalReturn): string {
  if (status === 'rejected') return t('Your return was rejected')
  if (status === 'cancelled') return t('Your return is cancelled')
  if (status === 'expired') return t('Your return has expired')
  if (status === 'resolved' || step === 'money') return t('Your return is complete')
  if (step === 'checked') return t('Your items are checked')
  if (step === 'received') return t('Your parcel has arrived')
  if (step === 'sent') return t('Your return is on its way')
  if (withdrawal) return t('You have withdrawn from the contract')
  return status === 'requested' ? t('The shop checks your return') : t('Your return is registered')
}

function progressView(shown: PortalReturn, page: PortalPage, { isNew, isAsking, busy }: State, deeds: Deeds): readonly Child[] {
  const { step, rma_no, items, refunds, method, expires_at, refund_due_at, currency, reject_reason, can_cancel, return_address, status } =
    shown
  const at = progressNames.findIndex(([name]) => name === step)
  const ended = step === null
  const sends = status === 'approved' && (step === 'requested' || step === null) && method !== 'none'
  const byCourier = method === 'label' || method === 'qr'
  const day = (instant: string) => instantText(instant, page.time_zone, { weekday: 'long', day: 'numeric', month: 'long' })
  return [
    shown.order_no !== null && el('p', { class: 'dim' }, t('Order {{number}}', { number: shown.order_no })),
    el('h1', { class: ended ? 'stop' : null }, headline(shown)),
    isNew && shown.is_mailed && el('p', {}, t('We have sent a confirmation by e-mail.')),
    reject_reason !== null && el('p', { class: 'advice stop' }, reject_reason),
    !ended &&
      el(
        'ol',
        { class: 'stages five' },
        ...progressNames.map(([, caption, drawing], place) =>
          el(
            'li',
            { class: place <= at ? 'reached' : null, 'aria-current': place === at ? 'step' : null },
            el('span', { class: 'dot' }, icon(icons[place < at ? 'done' : drawing])),
            el('span', { class: 'caption' }, t(caption)),
          ),
        ),
      ),
    el(
      'div',
      { class: 'tile' },
      el('span', { class: 'dim' }, t('Return number')),
      el('strong', { class: 'number' }, rma_no),
      sends && !byCourier && el('span', {}, t('Write this number on the parcel.')),
    ),
    sends && byCourier && labelTile(shown, page, busy, deeds),
    sends &&
      !byCourier &&
      return_address !== '' &&
      el(
        'p',
        { class: 'written' },
        el('span', { class: 'dim' }, method === 'bring' ? t('Our address') : t('Send the parcel to')),
        el('br'),
        return_address,
      ),
    sends && expires_at !== null && el('p', {}, t('Send it by {{day}}.', { day: day(expires_at) })),
    refund_due_at !== null &&
      step !== 'money' &&
      !ended &&
      el('p', {}, t('Your money comes back by {{day}} at the latest.', { day: day(refund_due_at) })),
    items.length > 0 && el('h2', {}, t('Items in the return')),
    el(
      'ul',
      { class: 'items' },
      ...items.map(({ qty, name, outcome, is_missing, is_kept }) =>
        itemRow(qty, name, is_missing ? t('Not in the parcel') : outcomeText(outcome, is_kept)),
      ),
    ),
    ...refunds
      .filter(({ state }) => state === 'confirmed' || state === 'denied')
      .map(({ total, state, reason }) =>
        el(
          'p',
          { class: state === 'confirmed' ? 'done' : 'advice stop' },
          state === 'confirmed'
            ? t('{{amount}} is paid back', { amount: money(total, currency) })
            : t('{{amount}} was not paid back', { amount: money(total, currency) }),
          reason !== null && el('span', {}, ` · ${reason}`),
        ),
      ),
    el(
      'div',
      { class: 'below' },
      can_cancel && !page.is_preview && !isAsking && quiet(t('Cancel return'), () => deeds.askCancel(true)),
      quiet(t('Find another order'), deeds.another),
    ),
    isAsking &&
      el(
        'div',
        { class: 'question', role: 'group', 'aria-label': t('Cancel the return?') },
        el('strong', {}, t('Cancel the return?')),
        el('button', { type: 'button', class: 'plain', click: () => deeds.askCancel(false) }, t('Keep return')),
        el(
          'button',
          { type: 'button', class: 'plain stop', 'aria-disabled': busy ? 'true' : null, click: deeds.cancel },
          t('Cancel return'),
        ),
      ),
  ]
}

/** The courier's label: to make, on its way, to print, or refused with another way on. */
function labelTile(shown: PortalReturn, page: PortalPage, busy: boolean, deeds: Deeds): HTMLElement {
  const { method, label } = shown
  const { state, tracking_no, qr_link } = label
  const isQr = method === 'qr'
  const off = busy ? 'true' : null
  const button = (text: string, click: () => void) =>
    el('button', { type: 'button', class: 'wide', 'aria-disabled': off, click }, busy ? t('One moment …') : text)
  const own = quiet(t('Use my own label'), deeds.ownLabel)
  const parts: Record<typeof state, readonly Child[]> = {
    none: [
      el(
        'p',
        {},
        isQr ? t('Get your QR code and show it where you hand the parcel in.') : t('Get your label, print it and put it on the parcel.'),
      ),
      !page.is_preview && button(isQr ? t('Get QR code') : t('Get label'), deeds.makeLabel),
      own,
    ],
    waiting: [
      el(
        'p',
        {},
        icon(icons.late),
        isQr
          ? t('The courier is making your QR code. You get an e-mail when it is ready.')
          : t('The courier is making your label. You get an e-mail when it is ready.'),
      ),
      quiet(t('Look again'), deeds.lookAgain),
    ],
    ready: [
      ...(qr_link === null
        ? [el('p', {}, t('Print the label and put it on the parcel.')), button(t('Open label'), deeds.openLabel)]
        : [
            el('p', {}, t('Show the QR code where you hand the parcel in.')),
            el('a', { class: 'wide button', href: qr_link, target: '_blank', rel: 'noreferrer' }, t('Show QR code')),
            quiet(t('Print a label instead'), deeds.openLabel),
          ]),
      tracking_no !== null && el('p', { class: 'dim' }, t('Parcel number {{number}}', { number: tracking_no })),
      ...(label.can_renew
        ? [
            el('p', { class: 'dim' }, t('Is it lost or too old? A new one takes its place, and this one is cancelled.')),
            el(
              'button',
              { type: 'button', class: 'quiet', 'aria-disabled': off, click: deeds.newLabel },
              busy ? t('One moment …') : isQr ? t('New QR code') : t('New label'),
            ),
          ]
        : []),
    ],
    failed: [el('p', {}, translate(labelRefusals.failed)), button(t('Try again'), deeds.makeLabel), own],
  }
  const { drop_off } = shown
  return el(
    'div',
    { class: 'tile label', role: 'group', 'aria-label': isQr ? t('QR code') : t('Courier label') },
    ...parts[state],
    drop_off !== null &&
      el(
        'p',
        {},
        el('span', { class: 'dim' }, t('You hand it in at')),
        el('br'),
        [drop_off.name, drop_off.address1, `${drop_off.postcode} ${drop_off.city}`].join(', '),
      ),
  )
}

function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(tag(), { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

function instantText(at: string, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tag(), { ...style, timeZone }).format(new Date(at))
}

const dayText = (day: string): string => instantText(`${day}T12:00:00Z`, 'UTC', { weekday: 'long', day: 'numeric', month: 'long' })
