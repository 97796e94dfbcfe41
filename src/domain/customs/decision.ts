/** What a parcel needs at the borders that it crosses: one pure function for imports, bookings and papers. */
import type { customsReasons, numberKinds } from '#domain/consignment.ts'
import { isGtin } from '#domain/gs1.ts'
import { coversPostcode, type PostcodeRange } from '#domain/postcode-ranges.ts'
import { type Amount, declaredValue, type Goods, isVague, mergedGoods, plainHsCode } from './goods.ts'
import { type Area, areaOf, type Place, sameArea, standingOf } from './places.ts'
import { type RuleId, ruleOn } from './rules.ts'

export const regimes = ['none', 'special_area', 'ordinary', 'voec', 'bulk', 'ioss', 'seller_vat'] as const
export type Regime = (typeof regimes)[number]

export const customsPapers = ['cn22', 'cn23', 'invoice', 'proforma'] as const
export type CustomsPaper = (typeof customsPapers)[number]

type NumberKind = (typeof numberKinds)[number]
type CustomsReason = (typeof customsReasons)[number]

export interface RegistrationNumber {
  kind: NumberKind
  /** Where it is registered. */
  country: string
  value: string
}

export interface CustomsFacts {
  from: Place
  to: Place
  /** The planned day of dispatch on the company's calendar, YYYY-MM-DD. */
  on: string
  reason: CustomsReason
  /** The recipient is no consumer. */
  business: boolean
  goods: readonly Goods[]
  /** Grams, with packaging. */
  weight_g: number
  freight?: Amount | null
  /** That the seller holds. */
  numbers: readonly RegistrationNumber[]
  /** How it travels: as a letter or parcel of the post, or with a courier. */
  transport: 'letter' | 'postal' | 'courier'
  courier?: { agent_code: string; name: string; method: string; numbers: readonly NumberKind[]; max_lines: number | null } | undefined
  /** Parcels of this way are cleared together, and this one is not left out. */
  bulk: boolean
  /** The postcode at which goods that are cleared together enter Norway. */
  entry?: string | null
  /** Whether the courier takes data of goods in transit; by default it does. */
  transit_by?: { name: string; carries: boolean }
  /** The recipient pays the VAT, though the seller could charge it. */
  vat_at_delivery?: boolean
  /** Minor units in another currency at the rate of the day; null without a rate. `XDR` is the special drawing right. */
  convert: (amount: Amount, to: string) => number | null
  /** The same at the rate of the day on which the order came in, by which the limit of VOEC counts. */
  convertAsOrdered?: CustomsFacts['convert']
}

export const findingCodes = [
  'goods_missing',
  'hs_missing',
  'hs_short',
  'origin_missing',
  'value_zero',
  'net_missing',
  'net_over_gross',
  'description_missing',
  'description_vague',
  'eori_missing',
  'number_missing',
  'number_not_carried',
  'voec_limit',
  'voec_excluded',
  'ioss_limit',
  'mixed_regimes',
  'too_many_lines',
  'rate_missing',
  'product_id_missing',
  'data_ahead',
  'prepaid_only',
  'transit_not_carried',
] as const
export type FindingCode = (typeof findingCodes)[number]

export interface CustomsFinding {
  code: FindingCode
  severity: 'error' | 'warning' | 'info'
  /** Position of the line, from 0; null where it is about the parcel. */
  line: number | null
  text: string
  values: Record<string, string | number>
}

interface Reason {
  rule: RuleId
  from: string | null
  source: string
  text: string
  values: Record<string, string | number>
}

export interface Decision {
  regime: Regime
  papers: CustomsPaper[]
  /** Goods are declared for transit, with VAT in their value. */
  transit: boolean
  /** Numbers that the courier gets. */
  numbers: RegistrationNumber[]
  /** Sentences on the invoice, in English. */
  statements: string[]
  findings: CustomsFinding[]
  why: Reason[]
  /** The currency in which values are declared, where the rule names one. */
  currency: string | null
  /** Cents of euros, where rule R12 counts tariff codes. */
  duty: number | null
  /** Customs data name each product by rule R13: number of the seller, of the maker, and GTIN. */
  product_ids: boolean
}

const voecLimit: Amount = { amount: 300_000, currency: 'NOK' }
const iossLimit: Amount = { amount: 15_000, currency: 'EUR' }
const britishLimit: Amount = { amount: 13_500, currency: 'GBP' }
/** Minor units of a currency with two decimals. */
const letterLimit: Amount = { amount: 30_000, currency: 'XDR' }
const swissUncollected = 500
const swissPercent = 8.1
const dutyPerCode = 300

/** Postcodes of Norway between which parcels travel through Sweden or Finland. Source: bring.no, postnord.no. */
const crossings: readonly (readonly [PostcodeRange[], PostcodeRange[]])[] = [
  [
    [{ from: '0001', to: '6999' }],
    [
      { from: '8300', to: '8599' },
      { from: '9000', to: '9159' },
      { from: '9170', to: '9181' },
      { from: '9188', to: '9299' },
      { from: '9300', to: '9499' },
    ],
  ],
  [
    [{ from: '0001', to: '7999' }],
    [
      { from: '9160', to: '9169' },
      { from: '9182', to: '9187' },
      { from: '9500', to: '9999' },
    ],
  ],
  [[{ from: '8000', to: '9769' }], [{ from: '9770', to: '9991' }]],
]

function crossesSweden(from: string, to: string): boolean {
  const within = (ranges: readonly PostcodeRange[], code: string) => ranges.some(range => coversPostcode(range, code))
  return crossings.some(([one, other]) => (within(one, from) && within(other, to)) || (within(other, from) && within(one, to)))
}

const exported = new Set<Area>(['XC', 'XL', 'LIVIGNO', 'HELIGOLAND', 'VA', 'FO', 'GL', 'JE', 'GG'])
const special = new Set<Area>(['AX', 'IC', 'FR_OVERSEAS', 'ATHOS', 'CAMPIONE', 'SM'])
const prepaidCountries = ['BE', 'DK', 'FI', 'FR', 'PT', 'DE', 'AT', 'LU']

const nothing: Decision = {
  ...{ regime: 'none', papers: [], transit: false, numbers: [], statements: [], findings: [], why: [], currency: null, duty: null },
  product_ids: false,
}

export function decide(facts: CustomsFacts): Decision {
  const { from, to, on } = facts
  const [a, b] = [areaOf(from), areaOf(to)]
  const because = (id: RuleId): Reason[] => {
    const rule = ruleOn(id, on)
    return rule ? [{ rule: id, from: rule.from, source: rule.source, text: rule.why, values: {} }] : []
  }
  const holds = (id: RuleId) => ruleOn(id, on) !== undefined
  const union = (area: Area) => standingOf(area).union && standingOf(area).vat

  if (sameArea(from, to)) {
    const transit = a === 'NO' && holds('R10') && crossesSweden(from.postcode ?? '', to.postcode ?? '')
    if (transit) return { ...nothing, transit, why: because('R10'), findings: transitFindings(facts) }
    return a === 'EU' && from.country !== to.country ? { ...nothing, why: because('R1') } : nothing
  }
  if (holds('R1') && union(a) && union(b)) return { ...nothing, why: because('R1') }

  const intoUnion = standingOf(b).union && !standingOf(a).union
  const declared = facts.goods.map(declaredValue)
  /** In minor units of `currency`; null where a value or a rate is missing. */
  const totalIn = (currency: string): number | null => {
    let total = 0
    const sums = Map.groupBy(declared, value => value?.currency ?? '')
    for (const [own, values] of sums) {
      if (own === '') return null
      const sum = values.reduce((all, value) => all + (value?.amount ?? 0), 0)
      const inOther = own === currency ? sum : facts.convert({ amount: sum, currency: own }, currency)
      if (inOther === null) return null
      total += inOther
    }
    return total
  }
  const atMost = ({ amount, currency }: Amount): boolean | null => {
    const total = totalIn(currency)
    return total === null ? null : total <= amount
  }
  const held = (kind: NumberKind, country?: string) =>
    facts.numbers.find(one => one.kind === kind && (country === undefined || one.country === country))
  const carries = (kind: NumberKind) => facts.courier?.numbers.includes(kind) ?? true
  const findings: CustomsFinding[] = []
  const find = (
    code: FindingCode,
    severity: CustomsFinding['severity'],
    text: string,
    values: CustomsFinding['values'] = {},
    line: number | null = null,
  ) => findings.push({ code, severity, line, text, values })
  const flagged = (...flags: string[]) => facts.goods.some(one => one.flags?.some(flag => flags.includes(flag)))
  const needRate = (currency: string) => {
    const own = declared.find(value => value !== null && value.currency !== currency)?.currency
    if (own !== undefined) find('rate_missing', 'error', 'Enter the rate for {{from}} to {{to}}', { from: own, to: currency })
  }

  // Where goods are given away or nothing was paid, the value stands for customs only.
  const given = facts.goods.some(one => declaredValue(one) !== null && !((one.value?.amount ?? 0) > 0))
  const invoice: CustomsPaper = !given && (facts.reason === 'sale' || facts.reason === 'other') ? 'invoice' : 'proforma'
  const declaration = (product_ids = false): CustomsPaper[] => {
    if (facts.transport === 'courier') return []
    // Parcels have a CN23 whatever they are worth; without a rate it is always allowed. Numbers of products do not fit on a CN22.
    const small = facts.transport === 'letter' && !product_ids && facts.goods.length <= 4 && atMost(letterLimit) === true
    return [small ? 'cn22' : 'cn23']
  }
  const eori = held('eori')
  const own = [eori, held('vat', from.country)].filter(one => one !== undefined)
  const result = (
    rule: RuleId,
    regime: Regime,
    papers: CustomsPaper[],
    more: Partial<Pick<Decision, 'numbers' | 'statements' | 'currency' | 'duty' | 'product_ids'>> = {},
    also: Reason[] = [],
  ): Decision => {
    const returned = facts.reason === 'returned' ? because('R23') : []
    return {
      regime,
      papers,
      transit: false,
      numbers: more.numbers ?? own,
      statements: [...(returned.length > 0 ? ['Returned goods'] : []), ...(more.statements ?? [])],
      findings: [...(regime === 'none' || regime === 'bulk' ? [] : goodsFindings(facts)), ...findings],
      why: [...because(rule), ...also, ...returned],
      currency: more.currency ?? null,
      duty: more.duty ?? null,
      product_ids: more.product_ids ?? false,
    }
  }
  const exportStatement = standingOf(a).union && !(standingOf(b).union && standingOf(b).vat) ? ['Export, zero-rated for VAT'] : []

  if (holds('R2') && (special.has(b) ? union(a) : special.has(a) && union(b)))
    return result('R2', 'special_area', [invoice], { statements: ['Union goods, T2LF/T2F as applicable'] })
  if (exported.has(b) && standingOf(a).union) return result('R3', 'ordinary', [...declaration(), invoice], { statements: exportStatement })
  if ((a === 'NO' && b === 'SJ') || (a === 'SJ' && b === 'NO')) return result('R4', 'special_area', [invoice])

  const norwegian = b === 'NO' ? [...because('R8'), ...because('R9')] : []
  if (facts.bulk) {
    // What the importer cleared goes on inside Norway.
    const transit = b === 'NO' && holds('R10') && crossesSweden(facts.entry ?? '', to.postcode ?? '')
    if (transit) findings.push(...transitFindings(facts))
    return { ...result('R7', 'bulk', [], {}, [...norwegian, ...(transit ? because('R10') : [])]), transit }
  }
  if (b === 'NO') {
    const excluded = flagged('food', 'excise', 'alcohol', 'restricted')
    const voec = held('voec')
    if (voec && holds('R5') && facts.reason === 'sale' && !facts.business && !facts.vat_at_delivery) {
      const dear = dearestPiece(facts, voecLimit.currency)
      const plain = facts.goods.some(one => !one.flags?.some(flag => ['food', 'excise', 'alcohol', 'restricted'].includes(flag)))
      if (dear === null) needRate(voecLimit.currency)
      const under = dear !== null && dear.amount < voecLimit.amount
      if (!carries('voec'))
        find('number_not_carried', 'error', '{{courier}} cannot carry a number of the kind {{kind}}', {
          courier: facts.courier?.name ?? '',
          kind: 'VOEC',
        })
      else if (under && !excluded) {
        aheadOfHandOver(find, on)
        return result('R5', 'voec', [], { numbers: [voec, ...own], currency: 'NOK' }, norwegian)
      } else if (excluded && plain)
        find('mixed_regimes', 'warning', 'One parcel holds VOEC and other goods. Pack them apart or clear all normally.')
      else if (excluded) find('voec_excluded', 'info', 'These goods are left out of VOEC: food, alcohol, excise and restricted goods.')
      if (dear !== null && !under) find('voec_limit', 'info', 'A piece costs NOK 3,000 or more: VOEC does not hold.', {}, dear.line)
    }
    aheadOfHandOver(find, on)
    if (holds('R6')) return result('R6', 'ordinary', [...declaration(), invoice], { statements: exportStatement }, norwegian)
  }

  if (b === 'XI' && a === 'GB' && holds('R18') && !facts.business && facts.weight_g <= 31_500) return result('R18', 'none', [])

  if (intoUnion) {
    const also: Reason[] = []
    const under = facts.business ? false : atMost(iossLimit)
    const codes = new Set(facts.goods.flatMap(one => (one.hs_code ? [plainHsCode(one.hs_code).slice(0, 6)] : []))).size
    const duty = under === true && holds('R12') ? dutyPerCode * codes : null
    if (duty !== null)
      also.push(
        ...because('R12').map(one => ({
          ...one,
          text: 'Duty is EUR 3 for each tariff code: EUR {{amount}}.',
          values: { amount: (duty / 100).toFixed(2) },
        })),
      )
    const product_ids = holds('R13')
    if (product_ids) {
      also.push(...because('R13'))
      for (const [i, one] of facts.goods.entries()) {
        const name = one.sku ?? one.description
        if (!one.sku) find('product_id_missing', 'error', 'Imports into the European Union need the SKU of each product', {}, i)
        if (!one.manufacturer_no)
          find('product_id_missing', 'warning', '{{name}} has no manufacturer’s number. Enter it on the product.', { name }, i)
        if (!isGtin(one.gtin ?? '')) find('product_id_missing', 'warning', '{{name}} has no GTIN among its barcodes', { name }, i)
      }
    }
    const ioss = held('ioss')
    if (ioss && !facts.business && !facts.vat_at_delivery) {
      if (under === null) needRate(iossLimit.currency)
      else if (under === false) find('ioss_limit', 'info', 'The goods cost more than EUR 150: VAT is paid at import.')
      else if (!flagged('excise', 'alcohol')) {
        if (!carries('ioss'))
          find('number_not_carried', 'error', '{{courier}} cannot carry an IOSS number. Choose VAT at delivery or another courier.', {
            courier: facts.courier?.name ?? '',
          })
        else if (holds('R11')) {
          const bring = facts.courier?.agent_code === 'bring' && ['0340', '3639'].includes(facts.courier.method)
          if (bring && a === 'NO' && prepaidCountries.includes(to.country) && holds('R15')) {
            also.push(...because('R15'))
            find('prepaid_only', 'warning', 'Bring takes IOSS parcels to this country only prepaid on posten.no.')
          }
          return result('R11', 'ioss', declaration(product_ids), { numbers: [ioss, ...own], duty, product_ids }, also)
        }
      }
    }
    if (holds('R14')) return result('R14', 'ordinary', [...declaration(product_ids), invoice], { duty, product_ids }, also)
  }

  if (b === 'GB') {
    const under = atMost(britishLimit)
    const vat = held('vat', 'GB')
    if (under === null && vat) needRate(britishLimit.currency)
    const seller = under === true && !facts.business && !flagged('excise', 'alcohol') && facts.reason !== 'gift'
    if (seller && holds('R16')) {
      if (!vat) find('number_missing', 'warning', 'Up to GBP 135 the seller charges British VAT. Enter your GB VAT number.')
      return result('R16', 'seller_vat', [...declaration(), invoice], {
        numbers: [vat, held('eori', 'GB') ?? eori].filter(one => one !== undefined),
        statements: [...exportStatement, 'UK VAT charged at sale'],
      })
    }
    if (holds('R17')) {
      if (!eori) find('eori_missing', 'warning', 'Enter your EORI number: customs ask for it.')
      return result('R17', 'ordinary', [...declaration(), invoice], { statements: exportStatement })
    }
  }

  if (b === 'CH' && holds('R19')) {
    const total = totalIn('CHF')
    const { freight } = facts
    const freightIn = freight ? (freight.currency === 'CHF' ? freight.amount : facts.convert(freight, 'CHF')) : 0
    const also: Reason[] = []
    if (total !== null && freightIn !== null) {
      const tax = ((total + freightIn) * swissPercent) / 100
      const values = { tax: (Math.round(tax) / 100).toFixed(2) }
      const text =
        tax <= swissUncollected
          ? 'Import tax of CHF {{tax}} at 8.1 % is not collected up to CHF 5.'
          : 'Import tax of CHF {{tax}} at 8.1 % is collected.'
      also.push(...because('R19').map(one => ({ ...one, text, values })))
    }
    return result('R19', 'ordinary', [...declaration(), invoice], { statements: exportStatement }, also)
  }

  if (b === 'US' && holds('R20')) {
    const dhl = facts.courier?.agent_code === 'dhl_de'
    for (const [i, one] of facts.goods.entries()) {
      const digits = plainHsCode(one.hs_code ?? '').length
      if (digits < 6 || digits >= 10) continue
      const severity = dhl && holds('R21') ? 'error' : 'warning'
      find('hs_short', severity, 'Customs of the USA need an HS code of 10 digits', {}, i)
    }
    return result('R20', 'ordinary', [...declaration(), invoice], { statements: exportStatement }, dhl ? because('R21') : [])
  }
  return result('R22', 'ordinary', [...declaration(), invoice], { statements: exportStatement })
}

type Find = (code: FindingCode, severity: CustomsFinding['severity'], text: string) => void

function aheadOfHandOver(find: Find, on: string): void {
  const rule = ruleOn('R9', on)
  if (rule) find('data_ahead', rule.until === null ? 'info' : 'warning', rule.why)
}

/** The most that one piece costs, rounded up; null where a value or a rate is missing. */
function dearestPiece(
  { goods, convert, convertAsOrdered = convert }: CustomsFacts,
  currency: string,
): { amount: number; line: number } | null {
  let dearest = { amount: 0, line: 0 }
  for (const [line, one] of goods.entries()) {
    const value = declaredValue(one)
    if (!value) return null
    const amount = value.currency === currency ? value.amount : convertAsOrdered(value, currency)
    if (amount === null) return null
    const each = Math.ceil(amount / Math.max(1, one.quantity))
    if (each > dearest.amount) dearest = { amount: each, line }
  }
  return dearest
}

/** Goods in transit are free inside the country: where they were made is not asked. */
function transitFindings(facts: CustomsFacts): CustomsFinding[] {
  const { name, carries } = facts.transit_by ?? { name: '', carries: true }
  if (carries) return goodsFindings(facts).filter(one => one.code !== 'origin_missing')
  const text = '{{courier}} takes no data for transit here. Declare the goods with the courier.'
  return [finding('transit_not_carried', 'warning', null, text, { courier: name })]
}

/** What is missing or wrong in the goods themselves. */
function goodsFindings({ goods, courier }: Pick<CustomsFacts, 'goods' | 'courier'>): CustomsFinding[] {
  const findings: CustomsFinding[] = []
  if (goods.length === 0)
    findings.push(finding('goods_missing', 'error', null, 'Customs need to know what the parcel holds. Enter its goods.'))
  for (const [i, one] of goods.entries()) {
    const name = one.sku ?? one.description
    const wrong = (code: FindingCode, text: string, severity: CustomsFinding['severity'] = 'error') =>
      findings.push(finding(code, severity, i, text, { name }))
    const digits = plainHsCode(one.hs_code ?? '').length
    if (digits === 0) wrong('hs_missing', '{{name}} has no HS code. Enter it on the order or the product.')
    else if (digits < 6) wrong('hs_short', 'The HS code of {{name}} has fewer than 6 digits. Correct it on the order or the product.')
    if (!/^[A-Z]{2}$/.test(one.origin ?? ''))
      wrong('origin_missing', '{{name}} has no country of origin. Enter it on the order or the product.')
    if (!declaredValue(one)) wrong('value_zero', 'Customs need a real value of {{name}}. Enter its cost price.')
    if (!((one.net_g ?? 0) > 0)) wrong('net_missing', '{{name}} has no weight. Enter it on the order or the product.')
    else if (typeof one.gross_g === 'number' && one.gross_g < (one.net_g ?? 0))
      wrong('net_over_gross', '{{name}} weighs more without its packaging than with it')
    if (one.description.trim() === '') wrong('description_missing', '{{name}} has no customs description. Enter it on the product.')
    else if (isVague(one.description))
      wrong('description_vague', '“{{name}}” says too little for customs. Say what it is and what it is made of.', 'warning')
  }
  if (courier && courier.max_lines !== null && mergedGoods(goods).length > courier.max_lines)
    findings.push(
      finding('too_many_lines', 'error', null, '{{courier}} takes {{limit}} customs lines per parcel at most', {
        courier: courier.name,
        limit: courier.max_lines,
      }),
    )
  return findings
}

const finding = (
  code: FindingCode,
  severity: CustomsFinding['severity'],
  line: number | null,
  text: string,
  values: CustomsFinding['values'] = {},
): CustomsFinding => ({ code, severity, line, text, values })
