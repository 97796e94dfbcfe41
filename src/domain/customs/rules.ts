/**
 * The rules of customs as data: from which day to which day each holds, where it is written, and why a paper is needed. Both ends of a
 * period count, on the company's calendar. `decision.ts` says where each applies.
 */

export interface RuleRow {
  id: RuleId
  /** Null: since ever, until further notice. */
  from: string | null
  until: string | null
  source: string
  /** One sentence: the translation key. */
  why: string
}

/** As the list of rules in the documentation numbers them. */
export type RuleId = `R${number}`

const eu = 'European Commission, territorial status of EU countries'
const toll = 'toll.no'
const commission = 'European Commission, customs reform 2026'

const row = (id: RuleId, from: string | null, until: string | null, source: string, why: string): RuleRow => ({
  id,
  from,
  until,
  source,
  why,
})

export const customsRules: readonly RuleRow[] = [
  row('R1', '2021-01-01', null, `${eu}; gov.uk`, 'Goods move freely inside the European Union and to Northern Ireland.'),
  row('R2', '2021-07-01', null, eu, 'The place is inside the customs territory of the European Union and outside its VAT area.'),
  row('R3', null, null, eu, 'The place is outside the customs territory of the European Union: this is an export.'),
  row('R4', null, null, 'bring.no; posten.no', 'Svalbard is outside the Norwegian VAT area: goods need an invoice.'),
  row(
    'R5',
    '2024-01-01',
    null,
    `${toll}; skatteetaten.no`,
    'Each piece costs less than NOK 3,000 and the VAT is charged at the sale under VOEC.',
  ),
  row('R6', '2024-01-01', null, toll, 'Goods to Norway are cleared by customs one parcel at a time.'),
  row('R7', null, null, 'Bring; PostNord', 'Parcels to this country are cleared together on one invoice.'),
  row('R8', '2025-03-01', null, 'ColliCare', 'Addresses, parcels and weights of invoice and booking must agree.'),
  row('R9', '2026-09-15', '2027-02-28', toll, 'From 1 March 2027 Norway wants customs data before the parcel is handed over.'),
  row('R9', '2027-03-01', null, toll, 'Norway wants customs data before the parcel is handed over.'),
  row(
    'R10',
    '2026-03-31',
    null,
    'bring.no; postnord.no',
    'The parcel crosses Sweden or Finland on its way inside Norway: each line is declared for transit.',
  ),
  row('R11', '2021-07-01', null, eu, 'Up to EUR 150 the VAT is charged at the sale under IOSS.'),
  row(
    'R12',
    '2026-07-01',
    '2028-06-30',
    'Regulations (EU) 2026/382, 2026/1022, 2026/1200',
    'Up to EUR 150 duty is EUR 3 for each tariff code.',
  ),
  row(
    'R13',
    '2026-11-01',
    null,
    commission,
    'Imports into the European Union name the product: number of the seller, of the maker, and GTIN.',
  ),
  row('R14', '2021-07-01', null, eu, 'VAT is paid at import into the European Union.'),
  row('R15', '2026-07-03', null, 'bring.no', 'Bring takes IOSS parcels to this country only prepaid on posten.no.'),
  row('R16', '2021-01-01', null, 'gov.uk', 'Up to GBP 135 the seller charges the VAT of the United Kingdom.'),
  row(
    'R17',
    '2021-01-01',
    null,
    'gov.uk',
    'Above GBP 135, to a business or for excise goods VAT is paid at import into the United Kingdom.',
  ),
  row('R18', '2025-05-01', null, 'HMRC', 'Parcels of consumers to Northern Ireland need no declaration up to 31.5 kg.'),
  row('R19', '2019-01-01', null, 'bazg.admin.ch', 'Goods to Switzerland and Liechtenstein are cleared with an invoice.'),
  row('R20', '2025-08-29', null, 'Executive Order 14324', 'The United States exempt no value any more: every parcel is cleared.'),
  row('R21', '2026-07-24', null, 'DHL release notes, August 2026', 'DHL needs a code of ten digits for each line to the United States.'),
  row('R22', null, null, 'UPU', 'Goods to this country are cleared with an invoice.'),
  row('R23', null, null, 'Union Customs Code', 'Goods that come back are declared as returned goods.'),
]

/** The row that holds on a day, YYYY-MM-DD; undefined where none does yet or any more. */
export const ruleOn = (id: RuleId, day: string): RuleRow | undefined =>
  customsRules.find(one => one.id === id && (one.from === null || one.from <= day) && (one.until === null || day <= one.until))
