/** The portal for browsers without scripts: an order is found, and a contract withdrawn from, by plain forms. */
import { randomUUID } from 'node:crypto'
import type { HandlerInput, Upload } from '#contract/endpoint.ts'
import { Locale } from '#contract/fields.schemas.ts'
import type { Locale as LocaleCode } from '#contract/limits.ts'
import { decimalsOf } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { languages } from '#features/shipping/tracking/page/page-language.labels.ts'
import { localeOfHeader } from '#features/shipping/tracking/tracking.rules.ts'
import { stylesOfPage } from '#platform/http/built-pages.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { type Html, html } from '#platform/http/html.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { countedAs } from '#platform/limits/call-counts.ts'
import { formSteps, portalTries } from './portal.codes.ts'
import type { portal } from './portal.contract.ts'
import { linkOf, portalOrder, portalPage } from './portal.queries.ts'
import { portalRefusals } from './portal.rules.ts'
import { type PortalOrder, type PortalPage, portalSchemas } from './portal.schemas.ts'
import { findForCustomer, withdraw } from './portal-find.server.ts'

/** It loads the style sheets of the scripted page and the shop's pictures, and its forms lead back here. */
const pagePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

interface Reader {
  page: PortalPage
  company: string
  shop: string
  lang: LocaleCode
  t: (sentence: string, values?: Record<string, string | number>) => string
}

type Fields = Readonly<Record<string, string>>

/** A page of it, as the answer of a call. */
async function answered({ page, company, shop, lang, t }: Reader, setHeader: Context['setHeader'], content: readonly (Html | false)[]) {
  setHeader('content-security-policy', pagePolicy)
  const { colors, name, homepage, has_logo, support_email, support_phone } = page.company
  const home = homepage !== null && /^https?:\/\//i.test(homepage) ? homepage : null
  const logo =
    (page.pictures.logo !== null || has_logo) &&
    `/api/${company}/rma/${page.locale}/img/logo?${new URLSearchParams({ shop: page.pictures_of, ...(page.pictures.logo && { v: page.pictures.logo }) })}`
  const brand = html`${logo && html`<span class="logo"><img src="${logo}" alt=""></span>`}<span class="name">${name}</span>`
  const wear = `--shop-light:${colors.light};--on-shop-light:${colors.on_light};--shop-dark:${colors.dark};--on-shop-dark:${colors.on_dark}`
  const way = (caption: string, href: string, text: string) =>
    html`<li><span class="dim">${caption}</span><a href="${href}" rel="noopener">${text}</a></li>`
  const ways = [
    support_email && way(t('Write to the shop'), `mailto:${encodeURIComponent(support_email).replace('%40', '@')}`, support_email),
    support_phone && way(t('Call the shop'), `tel:${support_phone.replace(/[^\d+]/g, '')}`, support_phone),
    home && way(t('Visit the shop'), home, home.replace(/^https?:\/\/|\/$/g, '')),
  ].filter(Boolean)
  const offered = page.languages.includes(page.locale) ? page.languages : Object.keys(languages).filter(one => isOneOf(Locale.options, one))
  const { markup } = html`<!doctype html>
<html lang="${lang === 'no_NO' ? 'nb' : lang.slice(0, 2)}" style="${wear}">
<head>
<meta charset="utf-8">
<title>${t('Return')} · ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<link rel="icon" href="data:,">
${(await stylesOfPage('return-portal.html')).map(href => html`<link rel="stylesheet" href="${href}">`)}
</head>
<body><div id="root">
<header class="top">${home === null ? html`<span class="shop">${brand}</span>` : html`<a class="shop" href="${home}" rel="noopener">${brand}</a>`}</header>
<main><div class="card"><section>${content}</section></div>
${page.texts.legal !== '' && html`<p class="dim written">${page.texts.legal}</p>`}</main>
<div>${page.texts.support !== '' && html`<p class="written support">${page.texts.support}</p>`}
${ways.length > 0 && html`<footer class="help"><h2>${t('Questions about your return?')}</h2><ul class="ways">${ways}</ul></footer>`}</div>
${
  offered.length > 1 &&
  html`<nav class="plain-languages" aria-label="${t('Language')}">${offered.map(
    one =>
      html`<a href="form?${new URLSearchParams({ shop, lang: one }).toString()}" lang="${one.slice(0, 2)}"${one === page.locale && html` aria-current="true"`}>${languages[Locale.parse(one)]}</a>`,
  )}</nav>`
}
</div></body></html>`
  return { bytes: Buffer.from(markup), media_type: 'text/html; charset=utf-8' as const, inline: true }
}

async function readerOf(
  { db, principal, headers }: Pick<Context, 'db' | 'principal' | 'headers'>,
  { shop, lang }: { shop: string; lang?: LocaleCode | undefined },
): Promise<Reader> {
  const { id, code } = principal.company
  const page = await portalPage(db, id, { shop, lang, reader: localeOfHeader(headers['accept-language']), preview: 'none' })
  // A withdrawal is possible in each language, also where returns are asked for in another way.
  const spoken = lang ?? page.locale
  return { page, company: code, shop, lang: spoken, t: await translatorFor(spoken) }
}

const said = (text: string | null) => text !== null && html`<p class="said" role="alert">${text}</p>`

const field = (name: string, label: string, value: string, more: Html) =>
  html`<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" required${more}>`

const hidden = (fields: Fields) =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const form = (fields: Fields, ...parts: readonly (Html | false | readonly Html[])[]) =>
  html`<form class="fields" method="post" action="form">${hidden(fields)}${parts}</form>`

const kept = ({ shop, lang }: Reader): Fields => ({ shop, lang })

function findPage(reader: Reader, given: Fields, problem: string | null): readonly (Html | false)[] {
  const { page, shop, lang, t } = reader
  const leads = html`<p><a href="form?${new URLSearchParams({ shop, lang, step: 'choose' }).toString()}">${t('Withdraw from contract here')}</a></p>`
  if (!page.is_open) return [html`<h1>${t('Return items')}</h1>`, leads, html`<p>${t(portalRefusals.closed)}</p>`]
  return [
    html`<h1>${t('Return items')}</h1>`,
    said(problem),
    page.texts.greeting !== '' && html`<p class="written">${page.texts.greeting}</p>`,
    leads,
    form(
      { ...kept(reader), step: 'find' },
      html`<p class="dim">${t('Both are in the e-mail that confirmed your order.')}</p>`,
      field('order_no', t('Order number'), given.order_no ?? '', html` maxlength="60" autocomplete="off"`),
      field('key', t('Postcode or e-mail'), given.key ?? '', html` maxlength="254" autocomplete="postal-code"`),
      html`<button type="submit">${t('Find order')}</button>`,
    ),
  ]
}

/** The order with what is left of it, and the withdrawal from all or some of it; without an order, from the one that the customer names. */
function choosePage(reader: Reader, order: PortalOrder | null, given: Fields, problem: string | null): readonly (Html | false)[] {
  const { page, t, lang } = reader
  const tag = tagOf(lang)
  const day = (text: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${text}T12:00:00Z`))
  const until = order !== null && !order.is_over && order.last_day !== null
  const open = order?.lines.filter(({ left }) => left > 0) ?? []
  return [
    order !== null && html`<p class="dim">${t('Order {{number}}', { number: order.order_no })}</p>`,
    html`<h1>${order === null ? t('Withdraw from contract') : t('Which items?')}</h1>`,
    said(problem),
    until && html`<p>${t('Return by {{day}}', { day: day(order.last_day ?? '') })}</p>`,
    order?.is_over === true && html`<p>${t(portalRefusals.over)}</p>`,
    order !== null &&
      page.texts.return_address !== '' &&
      html`<p class="written"><span class="dim">${t('Our address')}</span><br>${page.texts.return_address}</p>`,
    order !== null &&
      html`<p>${t('To return items for another reason than a withdrawal, write to the shop.')}</p><h2>${t('Withdraw from contract')}</h2>`,
    html`<p>${t('You need no reason. Write the order that you withdraw from.')}</p>`,
    html`<p class="dim">${order === null ? t('Withdrawal covers the whole order. For single items, find your order first.') : t('Where you choose no items, the withdrawal covers the whole order.')}</p>`,
    form(
      { ...kept(reader), step: 'confirm', ...(given.link && { link: given.link }), ...(order && { order_no: order.order_no }) },
      order !== null &&
        html`<ul class="choices">${order.lines.map(
          ({ line_id, name, left, amounts }) =>
            html`<li class="choice${left === 0 && ' off'}"><span class="grow"><span class="title">${name}</span><span class="dim">${left === 0 ? t('Already returned') : `${t('{{count}} can be returned', { count: left })} · ${moneyText(amounts[0] ?? 0, order.currency, tag)}`}</span></span>${left > 0 && html`<select name="qty_${line_id}" aria-label="${name}">${Array.from({ length: left + 1 }, (_, n) => html`<option${String(n) === given[`qty_${line_id}`] && html` selected`}>${n}</option>`)}</select>`}</li>`,
        )}</ul>${open.length === 0 && html`<p>${t('Nothing of this order can be returned now.')}</p>`}`,
      field('name', t('Name'), given.name ?? '', html` maxlength="120" autocomplete="name"`),
      order === null && field('order_no', t('Order number'), given.order_no ?? '', html` maxlength="60" autocomplete="off"`),
      field('email', t('E-mail'), given.email ?? '', html` type="email" maxlength="254" autocomplete="email"`),
      html`<p class="dim">${t('The confirmation goes to this address.')}</p>`,
      html`<button type="submit">${t('Continue')}</button>`,
    ),
    backLink(reader),
  ]
}

const backLink = ({ shop, lang, t }: Reader) =>
  html`<div class="below"><a href="form?${new URLSearchParams({ shop, lang }).toString()}">${t('Find another order')}</a></div>`

function confirmPage(reader: Reader, order: PortalOrder | null, given: Fields): readonly (Html | false)[] {
  const { t } = reader
  const fact = (caption: string, text: string) => html`<div><dt>${caption}</dt><dd>${text}</dd></div>`
  const chosen = piecesIn(given)
  const { name = '', order_no = '', email = '', link = '' } = given
  return [
    html`<h1>${t('Withdraw from contract')}</h1>`,
    html`<p>${t('I withdraw from the contract of this order.')}</p>`,
    html`<dl class="summary">${fact(t('Order number'), order_no)}${fact(t('Name'), name)}${fact(t('E-mail'), email)}</dl>`,
    chosen.length === 0 && html`<p>${t('The whole order')}</p>`,
    chosen.length > 0 &&
      html`<ul class="items">${chosen.map(({ line_id, qty }) => html`<li><span class="qty">${qty} ×</span><span>${order?.lines.find(one => one.line_id === line_id)?.name ?? ''}</span></li>`)}</ul>`,
    form(
      {
        ...kept(reader),
        ...{ step: 'withdraw', name, order_no, email, link, client_id: randomUUID() },
        ...Object.fromEntries(chosen.map(({ line_id, qty }) => [`qty_${line_id}`, String(qty)])),
      },
      html`<button type="submit" class="wide">${t('Confirm withdrawal')}</button>`,
    ),
    backLink(reader),
  ]
}

function receiptPage(reader: Reader, email: string, { received_at, is_mailed }: Awaited<ReturnType<typeof withdraw>>): readonly Html[] {
  const { page, t, lang } = reader
  const time = new Intl.DateTimeFormat(tagOf(lang), { dateStyle: 'long', timeStyle: 'medium', timeZone: page.time_zone }).format(
    new Date(received_at),
  )
  return [
    html`<h1 class="done">${t('We have received your withdrawal')}</h1>`,
    html`<p>${is_mailed ? t('Received on {{time}}. A confirmation is on its way to {{email}}.', { time, email }) : t('Received on {{time}}. Keep a picture of this page.', { time })}</p>`,
    backLink(reader),
  ]
}

const tagOf = (lang: LocaleCode): string => lang.replace('_', '-').replace('no-', 'nb-')
const moneyText = (minor: number, currency: string, tag: string): string =>
  new Intl.NumberFormat(tag, { style: 'currency', currency }).format(minor / 10 ** decimalsOf(currency))

/** Pieces that are chosen by the fields of lines. */
const piecesIn = (given: Fields): { line_id: number; qty: number }[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const line_id = Number(/^qty_([1-9]\d{0,15})$/.exec(name)?.[1])
    const qty = /^\d{1,4}$/.test(value) ? Number(value) : 0
    return Number.isSafeInteger(line_id) && qty > 0 ? [{ line_id, qty }] : []
  })

type FormQuery = HandlerInput<typeof portal.form>

export async function firstForm({ shop, lang, step }: FormQuery, context: Context) {
  const reader = await readerOf(context, { shop, lang })
  return answered(reader, context.setHeader, step === 'find' ? findPage(reader, {}, null) : choosePage(reader, null, {}, null))
}

/** The page after a form: the same commands as of the scripted page, with their counts of tries. */
export async function nextForm(upload: Upload, outside: ExternalContext) {
  const given: Fields = Object.fromEntries(new URLSearchParams(Buffer.from(await upload.bytes()).toString('utf8')))
  const { services, principal, ip, setHeader, transaction, headers, now } = outside
  const query = portalSchemas.calls.form.query.parse({ shop: given.shop || mainShop, lang: given.lang })
  const reader = await transaction(({ db }) => readerOf({ db, principal, headers }, query))
  const { t } = reader
  const step = isOneOf(formSteps, given.step) ? given.step : 'find'
  const incomplete = t('Fill in all fields, with an e-mail address.')
  const mayTry = async (line: string): Promise<boolean> => {
    const counted = await services.limits.countCall(countedAs(line, ip, principal.company.code), portalTries.seconds * 1_000)
    return counted.current <= portalTries.max
  }
  const tooOften = t('There were too many tries from here. Wait ten minutes.')

  if (step === 'find') {
    const asked = portalSchemas.calls.find.body.safeParse({ order_no: given.order_no, key: given.key, shop: query.shop })
    if (!asked.success) return answered(reader, setHeader, findPage(reader, given, t(portalRefusals.noOrder)))
    if (!(await mayTry('POST returns/portal/find'))) return answered(reader, setHeader, findPage(reader, given, tooOften))
    const found = await findForCustomer(asked.data, outside)
    if (!found) return answered(reader, setHeader, findPage(reader, given, t(portalRefusals.noOrder)))
    return answered(reader, setHeader, choosePage(reader, found.order, { link: found.link }, null))
  }

  // Whether the link still opens its order.
  const order = given.link
    ? await transaction(async ({ db }) => {
        const opened = await linkOf(db, principal.company.id, 'session', given.link, now())
        return opened && opened.order_id !== null ? portalOrder(db, opened.order_id, now()) : null
      })
    : null
  if (given.link && order === null) return answered(reader, setHeader, findPage(reader, {}, t(portalRefusals.noLink)))
  const lines = piecesIn(given)
  const notice = portalSchemas.calls.withdraw.body.safeParse({
    ...{ name: given.name, order_no: given.order_no, email: given.email?.trim(), lines, lang: reader.lang },
    ...{ confirm: true, client_id: step === 'withdraw' ? given.client_id : randomUUID() },
  })
  if (step === 'choose' || !notice.success) return answered(reader, setHeader, choosePage(reader, order, given, incomplete))
  if (step === 'confirm') return answered(reader, setHeader, confirmPage(reader, order, { ...given, ...texts(notice.data) }))
  if (!(await mayTry('POST returns/portal/withdraw'))) return answered(reader, setHeader, choosePage(reader, order, given, tooOften))
  return answered(reader, setHeader, receiptPage(reader, notice.data.email, await withdraw(notice.data, given.link ?? '', outside)))
}

const texts = ({ name, order_no, email }: { name: string; order_no: string; email: string }): Fields => ({ name, order_no, email })
