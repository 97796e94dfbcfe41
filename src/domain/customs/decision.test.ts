import { describe, expect, it } from 'vitest'
import { converted, convertedLines, crossRate, netOfDiscount, shared } from './conversion.ts'
import { type CustomsFacts, decide } from './decision.ts'
import { type Amount, declaredValue, describedGoods, type Goods, isHsCode, isVague, mergedGoods, plainHsCode } from './goods.ts'
import { areaOf, needsCustoms } from './places.ts'
import { hasForm, isRegistrationNumber } from './registration-numbers.ts'
import { customsRules } from './rules.ts'

/** Fixtures, no published rates: what one euro buys. */
const perEuro: Record<string, string> = { EUR: '1', DKK: '7.46', NOK: '11.75', SEK: '11.20', GBP: '0.86', CHF: '0.94', USD: '1.16' }
const rate = (from: string, to: string): string => crossRate(perEuro[from] ?? '', perEuro[to] ?? '')
const convert = ({ amount, currency }: Amount, to: string): number | null =>
  perEuro[currency] === undefined || perEuro[to] === undefined ? null : converted(amount, { from: currency, to, rate: rate(currency, to) })

const piece = {
  TEE: { hs_code: '61091000', origin: 'PT', net: 200, gross: 210, description: 'T-shirt, knitted cotton' },
  CAP: { hs_code: '65050030', origin: 'CN', net: 72, gross: 80, description: 'Cap, cotton' },
  JKT: { hs_code: '62014010', origin: 'VN', net: 900, gross: 950, description: 'Jacket, woven polyester' },
  SOCK: { hs_code: '61159400', origin: 'PT', net: 95, gross: 102, description: 'Socks, wool' },
  LAMP: { hs_code: '85131010', origin: 'CN', net: 180, gross: 220, description: 'Torch with battery' },
}
/** So many pieces for one value of the line, in minor units. */
function goods(name: keyof typeof piece, quantity: number, amount: number, currency: string, more: Partial<Goods> = {}): Goods {
  const { net, gross, ...of } = piece[name]
  return { ...of, sku: name, quantity, value: { amount, currency }, net_g: net * quantity, gross_g: gross * quantity, ...more }
}

const facts = (more: Partial<CustomsFacts>): CustomsFacts => ({
  from: { country: 'DK', postcode: '2100' },
  to: { country: 'NO', postcode: '0150' },
  on: '2026-11-23',
  reason: 'sale',
  business: false,
  goods: [goods('TEE', 1, 24_000, 'NOK')],
  weight_g: 500,
  numbers: [{ kind: 'eori', country: 'DK', value: 'DK12345678' }],
  transport: 'courier',
  bulk: false,
  convert,
  ...more,
})
const voec = { kind: 'voec', country: 'NO', value: '2000000' } as const
const ioss = { kind: 'ioss', country: 'IE', value: 'IM3720000001' } as const
const rules = (of: Partial<CustomsFacts>) => decide(facts(of)).why.map(one => one.rule)
const codes = (of: Partial<CustomsFacts>, severity = 'error') =>
  decide(facts(of)).findings.flatMap(one => (one.severity === severity ? [one.code] : []))
const sum = (of: readonly Goods[], field: 'net_g' | 'gross_g') => of.reduce((all, one) => all + (one[field] ?? 0), 0)
const total = (of: readonly Goods[]) => of.reduce((all, one) => all + (one.value?.amount ?? 0), 0)

describe('areas', () => {
  it.each([
    ['FI', '22100', 'AX'],
    ['ES', '35001', 'IC'],
    ['ES', '38001', 'IC'],
    ['ES', '51001', 'XC'],
    ['ES', '52001', 'XL'],
    ['IT', '23041', 'LIVIGNO'],
    ['IT', '22061', 'CAMPIONE'],
    ['IT', '47891', 'SM'],
    ['IT', '00120', 'VA'],
    ['DE', '78266', 'CH'],
    ['DE', '27498', 'HELIGOLAND'],
    ['GR', '630 86', 'ATHOS'],
    ['DK', '3900', 'GL'],
    ['FO', 'FO-100', 'FO'],
    ['FR', '97133', 'FR_TERRITORY'],
    ['FR', '97400', 'FR_OVERSEAS'],
    ['FR', '75001', 'EU'],
    ['FR', '98000', 'EU'],
    ['MC', '98000', 'EU'],
    ['GB', 'bt1 1aa', 'XI'],
    ['GB', 'SW1A 1AA', 'GB'],
    ['IM', 'IM1 1AA', 'GB'],
    ['JE', 'JE2 3AB', 'JE'],
    ['NO', '9170', 'SJ'],
    ['LI', '9490', 'CH'],
    ['US', '10001', 'US'],
    ['JP', '100-0001', 'THIRD'],
  ])('%s %s lies in %s', (country, postcode, area) => {
    expect(areaOf({ country, postcode })).toBe(area)
  })

  it.each([
    ['DK', 'DE', '10115', false],
    ['DK', 'NO', '0155', true],
    ['DK', 'GB', 'SW1A 1AA', true],
    ['DK', 'GB', 'BT1 5GS', false],
    ['DK', 'ES', '28001', false],
    ['DK', 'ES', '35001', true],
    ['DK', 'FI', '00100', false],
    ['DK', 'AX', '22100', true],
    ['DK', 'FO', '100', true],
    ['DK', 'GL', '3900', true],
    ['DK', 'DE', '27498', true],
    ['DK', 'DK', '5000', false],
    ['NO', 'NO', '0155', false],
    ['NO', 'NO', '9170', true],
    ['NO', 'SE', '111 22', true],
    ['CH', 'LI', '9490', false],
    ['JP', 'JP', '100', false],
    ['JP', 'KR', '100', true],
  ])('from %s to %s %s customs papers are needed: %s', (from, country, postcode, needed) => {
    expect(needsCustoms({ country: from }, { country, postcode })).toBe(needed)
  })
})

describe('which rule holds', () => {
  const at = (country: string, postcode: string) => ({ country, postcode })
  it.each<[string, Partial<CustomsFacts>, string, string[]]>([
    ['DK to DE', { to: at('DE', '10115') }, 'R1', []],
    ['DK to Northern Ireland', { to: at('GB', 'BT1 1AA') }, 'R1', []],
    ['SE to Åland', { from: at('SE', '11122'), to: at('FI', '22100') }, 'R2', ['invoice']],
    ['FI to Åland', { from: at('FI', '00100'), to: at('FI', '22100') }, 'R2', ['invoice']],
    ['DK to Tenerife', { to: at('ES', '38001') }, 'R2', ['invoice']],
    ['DK to Réunion', { to: at('FR', '97400') }, 'R2', ['invoice']],
    ['DK to San Marino', { to: at('IT', '47891') }, 'R2', ['invoice']],
    ['DK to Campione', { to: at('IT', '22061') }, 'R2', ['invoice']],
    ['DK to Mount Athos', { to: at('GR', '63086') }, 'R2', ['invoice']],
    ['DK to Ceuta', { to: at('ES', '51001') }, 'R3', ['invoice']],
    ['DK to Livigno', { to: at('IT', '23041') }, 'R3', ['invoice']],
    ['DK to the Vatican', { to: at('VA', '00120') }, 'R3', ['invoice']],
    ['DK to Heligoland', { to: at('DE', '27498') }, 'R3', ['invoice']],
    ['DK to Jersey', { to: at('JE', 'JE2 3AB') }, 'R3', ['invoice']],
    ['DK to the Faroes by post', { to: at('FO', '100'), transport: 'postal' }, 'R3', ['cn23', 'invoice']],
    ['DK to Nuuk', { to: at('DK', '3900') }, 'R3', ['invoice']],
    ['Oslo to Longyearbyen', { from: at('NO', '0150'), to: at('NO', '9170') }, 'R4', ['invoice']],
    ['DK to NO with VOEC', { numbers: [voec] }, 'R5', []],
    ['DK to NO', {}, 'R6', ['invoice']],
    ['DK to NO, cleared together', { bulk: true, numbers: [voec] }, 'R7', []],
    ['DK to CH, cleared together', { to: at('CH', '8001'), bulk: true }, 'R7', []],
    ['NO to DE under IOSS', { from: at('NO', '0150'), to: at('DE', '10115'), numbers: [ioss] }, 'R11', []],
    ['NO to DE', { from: at('NO', '0150'), to: at('DE', '10115') }, 'R14', ['invoice']],
    ['DK to GB', { to: at('GB', 'SW1A 1AA') }, 'R16', ['invoice']],
    ['DK to GB, a business', { to: at('GB', 'SW1A 1AA'), business: true }, 'R17', ['invoice']],
    ['DK to GB, a gift', { to: at('GB', 'SW1A 1AA'), reason: 'gift' }, 'R17', ['proforma']],
    ['GB to Belfast', { from: at('GB', 'M1 1AA'), to: at('GB', 'BT1 1AA') }, 'R18', []],
    ['GB to Belfast, a business', { from: at('GB', 'M1 1AA'), to: at('GB', 'BT1 1AA'), business: true }, 'R14', ['invoice']],
    ['DK to CH', { to: at('CH', '8001') }, 'R19', ['invoice']],
    ['DK to Büsingen', { to: at('DE', '78266') }, 'R19', ['invoice']],
    ['DK to US', { to: at('US', '10001') }, 'R20', ['invoice']],
    ['DK to JP by post', { to: at('JP', '1000001'), transport: 'postal' }, 'R22', ['cn23', 'invoice']],
    ['DK to JP, a sample', { to: at('JP', '1000001'), reason: 'sample' }, 'R22', ['proforma']],
    ['DK to NO before 2024', { on: '2023-12-31', numbers: [voec] }, 'R22', ['invoice']],
  ])('%s', (_, of, rule, papers) => {
    const decision = decide(facts(of))
    expect(decision.why[0]?.rule).toBe(rule)
    expect(decision.papers).toEqual(papers)
  })

  it('nothing is needed inside one country', () => {
    expect(decide(facts({ to: { country: 'DK', postcode: '5000' } }))).toMatchObject({ regime: 'none', papers: [], why: [], findings: [] })
  })

  it.each([
    ['7010', '9500', '2026-03-30', false],
    ['7010', '9500', '2026-03-31', true],
    ['9500', '7010', '2026-03-31', true],
    ['0150', '5003', '2026-11-23', false],
    ['0150', '9008', '2026-11-23', true],
    ['8000', '9800', '2026-11-23', true],
  ])('from %s to %s inside Norway on %s is transit: %s', (from, to, on, transit) => {
    const decision = decide(facts({ from: { country: 'NO', postcode: from }, to: { country: 'NO', postcode: to }, on }))
    expect(decision.transit).toBe(transit)
    expect(decision.papers).toEqual([])
  })

  it.each([
    ['2026-06-30', null],
    ['2026-07-01', 600],
    ['2028-06-30', 600],
    ['2028-07-01', null],
  ])('duty on each tariff code into the Union on %s: %s cents', (on, duty) => {
    const two = [goods('TEE', 2, 4_200, 'EUR'), goods('TEE', 1, 2_100, 'EUR'), goods('CAP', 1, 1_400, 'EUR')]
    expect(decide(facts({ from: { country: 'GB', postcode: 'M1 1AA' }, to: { country: 'IE' }, goods: two, on })).duty).toBe(duty)
  })

  it.each([
    ['2026-10-31', {}, false, []],
    ['2026-11-01', {}, true, ['CAP has no manufacturer’s number', 'CAP has no GTIN']],
    ['2026-11-01', { manufacturer_no: 'C-72', gtin: '5790001234560' }, true, []],
    ['2026-11-01', { manufacturer_no: 'C-72', gtin: '5790001234561' }, true, ['CAP has no GTIN']],
  ])('products of an import into the Union on %s with %o are named: %s, and miss %j', (on, more, product_ids, missing) => {
    const into = { from: { country: 'GB', postcode: 'M1 1AA' }, to: { country: 'IE' }, on, goods: [goods('CAP', 1, 1_400, 'EUR', more)] }
    const decision = decide(facts(into))
    expect(decision.product_ids).toBe(product_ids)
    const said = decision.findings.filter(one => one.code === 'product_id_missing')
    expect(said.every(one => one.severity === 'warning')).toBe(true)
    expect(said.map(one => one.text.replace('{{name}}', String(one.values.name))).map(text => text.split(/ among|\./)[0])).toEqual(missing)
  })

  it('products of an import into the Union need a SKU, and no other export names them', () => {
    const into = {
      from: { country: 'GB', postcode: 'M1 1AA' },
      to: { country: 'IE' },
      goods: [goods('CAP', 1, 1_400, 'EUR', { sku: null })],
    }
    expect(codes({ ...into, on: '2026-11-01' })).toEqual(['product_id_missing'])
    expect(codes({ ...into, on: '2026-10-31' })).toEqual([])
    expect(decide(facts({})).product_ids).toBe(false)
    // The numbers do not fit on a CN22.
    const letter = decide(
      facts({ ...into, transport: 'letter', on: '2026-11-01', convert: (amount, to) => (to === 'XDR' ? 1 : convert(amount, to)) }),
    )
    expect(letter.papers).toEqual(['cn23', 'invoice'])
  })

  it('a letter has a CN22 up to 300 special drawing rights, and a CN23 without their rate', () => {
    const letter = { transport: 'letter', to: { country: 'JP' } } as const
    const drawing = (amount: Amount, to: string) => (to === 'XDR' ? amount.amount / 10 : convert(amount, to))
    expect(decide(facts({ ...letter, convert: drawing })).papers).toEqual(['cn22', 'invoice'])
    expect(decide(facts({ ...letter, convert: drawing, goods: [goods('JKT', 1, 300_010, 'NOK')] })).papers).toEqual(['cn23', 'invoice'])
    expect(decide(facts(letter)).papers).toEqual(['cn23', 'invoice'])
  })

  it('Norway asks for data before the hand-over: a warning first, a rule later', () => {
    expect(codes({ on: '2026-09-14' }, 'warning')).toEqual([])
    expect(codes({ on: '2026-09-15' }, 'warning')).toEqual(['data_ahead'])
    expect(codes({ on: '2027-03-01' }, 'info')).toEqual(['data_ahead'])
  })

  it('IOSS from Norway by Bring is prepaid elsewhere since July 2026', () => {
    const bring = { agent_code: 'bring', name: 'Bring', method: '0340', numbers: ['ioss'], max_lines: null } as const
    const of = { from: { country: 'NO', postcode: '0150' }, to: { country: 'DE' }, numbers: [ioss], courier: bring }
    expect(codes({ ...of, on: '2026-07-02' }, 'warning')).toEqual([])
    expect(codes({ ...of, on: '2026-07-03' }, 'warning')).toEqual(['prepaid_only'])
  })

  it('periods of one rule do not overlap, and each rule names its source', () => {
    for (const [i, one] of customsRules.entries()) {
      expect(one.source).not.toBe('')
      for (const other of customsRules.slice(i + 1))
        if (other.id === one.id) expect((one.until ?? '9999') < (other.from ?? '0000')).toBe(true)
    }
  })
})

describe('worked examples', () => {
  it('1a: DK to NO under VOEC', () => {
    const prices = netOfDiscount([48_000, 11_920], 5_992)
    expect(prices).toEqual([43_200, 10_728])
    const of = [goods('TEE', 2, 43_200, 'NOK'), goods('CAP', 1, 10_728, 'NOK')]
    const decision = decide(facts({ goods: of, numbers: [voec] }))
    expect(decision).toMatchObject({ regime: 'voec', papers: [], currency: 'NOK' })
    expect(decision.numbers).toEqual([voec])
    expect(total(of)).toBe(53_928)
    expect(sum(of, 'gross_g') + 120).toBe(620)
  })

  it('1b: DK to NO above NOK 3,000 a piece', () => {
    const of = [goods('JKT', 1, 320_000, 'NOK'), goods('SOCK', 2, 15_840, 'NOK')]
    const decision = decide(facts({ goods: of, numbers: [voec] }))
    expect(decision).toMatchObject({ regime: 'ordinary', papers: ['invoice'] })
    expect(decision.findings).toContainEqual(expect.objectContaining({ code: 'voec_limit', line: 0 }))
    expect([total(of), sum(of, 'net_g'), sum(of, 'gross_g') + 120]).toEqual([335_840, 1_090, 1_274])
  })

  it.each([
    [299_999, 'voec'],
    [300_000, 'ordinary'],
  ])('1b: a piece for %s øre is %s', (amount, regime) => {
    expect(decide(facts({ goods: [goods('JKT', 1, amount, 'NOK')], numbers: [voec] })).regime).toBe(regime)
  })

  it('2: DK to NO together, three parcels', () => {
    const kr = (amounts: number[]) => convertedLines(amounts, { from: 'DKK', to: 'NOK', rate: rate('DKK', 'NOK') })
    expect(kr([48_000, 9_900]).map(one => one.amount)).toEqual([75_603, 15_593])
    const c = kr([3_333, 3_333, 3_333])
    expect(c.map(one => one.amount)).toEqual([5_249, 5_250, 5_250])
    expect(c.map(one => one.rounding)).toEqual([-1, 0, 0])
    expect(53_928 + 75_603 + 15_593 + 5_249 + 5_250 + 5_250).toBe(160_873)
  })

  it('3: DK to DE, Heligoland, Büsingen', () => {
    expect(decide(facts({ to: { country: 'DE', postcode: '10115' } })).papers).toEqual([])
    expect(rules({ to: { country: 'DE', postcode: '27498' } })).toEqual(['R3'])
    expect(rules({ to: { country: 'DE', postcode: '78266' } })[0]).toBe('R19')
  })

  it('4: DK to GB', () => {
    const to = { country: 'GB', postcode: 'SW1A 1AA' }
    const british = [
      { kind: 'vat', country: 'GB', value: 'GB123456789' },
      { kind: 'eori', country: 'GB', value: 'GB123456789000' },
    ] as const
    const small = decide(facts({ to, numbers: british, goods: [goods('TEE', 1, 2_400, 'GBP'), goods('CAP', 1, 1_250, 'GBP')] }))
    expect(small).toMatchObject({ regime: 'seller_vat', papers: ['invoice'], numbers: british })
    expect(small.statements).toContain('UK VAT charged at sale')
    expect(rules({ to, numbers: british, goods: [goods('JKT', 1, 18_000, 'GBP')] })).toEqual(['R17'])
    expect(rules({ to: { country: 'GB', postcode: 'BT1 1AA' } })).toEqual(['R1'])
  })

  it('5: DK to CH with and without freight', () => {
    const of = { to: { country: 'CH', postcode: '8001' }, goods: [goods('JKT', 1, 5_800, 'CHF')] }
    const text = (freight: Amount | null) => decide(facts({ ...of, freight })).why[1]
    expect(text({ amount: 900, currency: 'CHF' })).toMatchObject({
      text: 'Import tax of CHF {{tax}} at 8.1 % is collected.',
      values: { tax: '5.43' },
    })
    expect(text(null)).toMatchObject({ values: { tax: '4.70' } })
    expect(text(null)?.text).toContain('not collected')
  })

  it('6: SE to NO together, and onward inside Norway', () => {
    const lines = convertedLines([50_000, 25_000], { from: 'SEK', to: 'NOK', rate: rate('SEK', 'NOK') })
    expect(lines.map(one => one.amount)).toEqual([52_455, 26_228])
    expect(52_455 + 26_228).toBe(converted(75_000, { from: 'SEK', to: 'NOK', rate: rate('SEK', 'NOK') }))
    expect(rules({ from: { country: 'NO', postcode: '0150' }, to: { country: 'NO', postcode: '9008' } })).toEqual(['R10'])
    expect(rules({ from: { country: 'NO', postcode: '0150' }, to: { country: 'NO', postcode: '5003' } })).toEqual([])
    const lamps = [goods('LAMP', 4, 50_000, 'SEK', { origin: null })]
    const bulk = { from: { country: 'SE', postcode: '111 22' }, bulk: true, entry: '0150', goods: lamps } as const
    const north = decide(facts({ ...bulk, to: { country: 'NO', postcode: '9008' } }))
    expect(north).toMatchObject({ regime: 'bulk', transit: true, papers: [], findings: [] })
    expect(north.why.map(one => one.rule)).toEqual(['R7', 'R8', 'R9', 'R10'])
    expect(decide(facts({ ...bulk, to: { country: 'NO', postcode: '5003' } }))).toMatchObject({ regime: 'bulk', transit: false })
    expect(decide(facts({ ...bulk, entry: null, to: { country: 'NO', postcode: '9008' } })).transit).toBe(false)
  })

  it('7: DK to the Faroes by post', () => {
    const of = [goods('SOCK', 2, 12_640, 'DKK'), goods('JKT', 1, 127_920, 'DKK')]
    const decision = decide(facts({ to: { country: 'FO', postcode: '100' }, goods: of, transport: 'postal', numbers: [voec, ioss] }))
    expect(decision.papers).toEqual(['cn23', 'invoice'])
    expect(decision.numbers).toEqual([])
    expect(decision.statements).toEqual(['Export, zero-rated for VAT'])
    expect([total(of), sum(of, 'net_g'), sum(of, 'gross_g') + 120]).toEqual([140_560, 1_090, 1_274])
  })

  it('8: GB to IE with IOSS that the courier does not carry', () => {
    const of = {
      from: { country: 'GB', postcode: 'M1 1AA' },
      to: { country: 'IE', postcode: 'D01 F5P2' },
      goods: [goods('TEE', 2, 4_200, 'EUR'), goods('TEE', 1, 2_100, 'EUR', { sku: 'TEE-2' }), goods('CAP', 1, 1_400, 'EUR')],
      numbers: [ioss],
      courier: { agent_code: 'ups', name: 'UPS', method: '11', numbers: ['vat', 'eori'], max_lines: 50 } as const,
    }
    expect(codes(of)).toEqual(['number_not_carried'])
    expect(codes({ ...of, vat_at_delivery: true })).toEqual([])
    expect(rules({ ...of, vat_at_delivery: true })).toEqual(['R14', 'R12', 'R13'])
    expect(rules({ ...of, vat_at_delivery: true, on: '2026-10-31' })).toEqual(['R14', 'R12'])
  })

  it.each([
    ['2026-07-23', 'warning'],
    ['2026-07-24', 'error'],
  ] as const)('9: DE to US by DHL on %s: a code of eight digits is a %s', (on, severity) => {
    const dhl = { agent_code: 'dhl_de', name: 'DHL', method: 'V53WPAK', numbers: ['eori'], max_lines: 99 } as const
    const of = { from: { country: 'DE', postcode: '10115' }, to: { country: 'US', postcode: '10001' }, courier: dhl, on }
    expect(codes({ ...of, goods: [goods('JKT', 1, 16_900, 'EUR')] }, severity)).toEqual(['hs_short'])
    expect(codes({ ...of, goods: [goods('JKT', 1, 16_900, 'EUR', { hs_code: '6201401000' })] }, severity)).toEqual([])
  })
})

describe('limits in another currency', () => {
  const to = (country: string, postcode: string) => ({ to: { country, postcode } })
  const ireland = { from: { country: 'GB', postcode: 'M1 1AA' }, ...to('IE', '') }
  it.each<[string, number, string, Partial<CustomsFacts>, string]>([
    ['VOEC', 190_467, 'DKK', { numbers: [voec] }, 'voec'],
    ['VOEC', 190_468, 'DKK', { numbers: [voec] }, 'ordinary'],
    ['VOEC', 190_469, 'DKK', { numbers: [voec] }, 'ordinary'],
    ['GBP 135', 117_106, 'DKK', to('GB', 'SW1A 1AA'), 'seller_vat'],
    ['GBP 135', 117_109, 'DKK', to('GB', 'SW1A 1AA'), 'ordinary'],
    ['EUR 150', 12_900, 'GBP', { ...ireland, numbers: [ioss] }, 'ioss'],
    ['EUR 150', 12_901, 'GBP', { ...ireland, numbers: [ioss] }, 'ordinary'],
  ])('%s: %s %s', (_, amount, currency, of, regime) => {
    expect(decide(facts({ ...of, goods: [goods('TEE', 1, amount, currency)] })).regime).toBe(regime)
  })

  it('a missing rate is asked for where a limit depends on it', () => {
    const of = { goods: [goods('TEE', 1, 500, 'ISK')] }
    expect(codes({ ...of, numbers: [voec] })).toEqual(['rate_missing'])
    expect(codes(of)).toEqual([])
  })

  it('the limit of VOEC counts at the rate of the day of the order', () => {
    const of = { goods: [goods('TEE', 1, 190_468, 'DKK')], numbers: [voec] }
    expect(decide(facts({ ...of, convertAsOrdered: () => 299_900 })).regime).toBe('voec')
  })

  it('food and spirits are outside VOEC, and do not mix with what is in it', () => {
    const food = goods('CAP', 1, 10_000, 'NOK', { flags: ['food'] })
    expect(decide(facts({ numbers: [voec], goods: [food] })).regime).toBe('ordinary')
    expect(codes({ numbers: [voec], goods: [food] }, 'info')).toEqual(['voec_excluded'])
    expect(codes({ numbers: [voec], goods: [food, goods('TEE', 1, 100, 'NOK')] }, 'warning')).toContain('mixed_regimes')
  })
})

describe('money', () => {
  it.each([
    [125, 'SEK', 'NOK', 131],
    [190_467, 'DKK', 'NOK', 299_998],
    [12_901, 'GBP', 'EUR', 15_001],
  ])('%s of %s in %s is %s', (amount, from, to, expected) => {
    expect(converted(amount, { from, to, rate: rate(from, to) })).toBe(expected)
  })

  it('currencies without decimals are converted from whole units', () => {
    expect(converted(1_999, { from: 'ISK', to: 'NOK', rate: '0.08' })).toBe(15_992)
  })

  it.each([
    [10_000, [1, 1, 1], [3_334, 3_333, 3_333]],
    [-1, [1, 1], [-1, 0]],
    [5_992, [48_000, 11_920], [4_800, 1_192]],
    [7, [0, 0], [4, 3]],
  ])('%s shared by %j is %j', (amount, weights, shares) => {
    expect(shared(amount, weights)).toEqual(shares)
  })
})

it.each([
  [{ hs_code: null }, ['hs_missing']],
  [{ net_g: null }, ['net_missing']],
  [{ origin: null }, []],
])('goods in transit with %o miss %j; where no data goes to the courier, a warning says so', (more, missing) => {
  const way = {
    from: { country: 'NO', postcode: '0150' },
    to: { country: 'NO', postcode: '9008' },
    goods: [goods('LAMP', 4, 50_000, 'NOK', more)],
  }
  expect(codes(way)).toEqual(missing)
  const posten = { ...way, transit_by: { name: 'PostNord', carries: false } }
  expect(codes(posten)).toEqual([])
  expect(codes(posten, 'warning')).toEqual(['transit_not_carried'])
})

describe('goods', () => {
  it.each([
    ['0901', false, '0901'],
    ['610910', true, '610910'],
    ['6109.10.00', true, '61091000'],
    ['61091000901', true, '61091000901'],
    ['610910009011', false, '610910009011'],
    ['61O910', false, '61O910'],
  ])('%s is an HS code: %s', (written, fine, plain) => {
    expect(isHsCode(written)).toBe(fine)
    expect(plainHsCode(written)).toBe(plain)
  })

  it.each([
    ['Clothes', true],
    ['Spare parts', true],
    ['GIFT.', true],
    ['Clothes hanger, wood', false],
    ['T-shirt, cotton', false],
  ])('%s is vague: %s', (text, yes) => {
    expect(isVague(text)).toBe(yes)
  })

  it('name what is missing, line by line', () => {
    const bad = { hs_code: null, origin: null, net_g: 0, value: null, description: '' }
    expect(codes({ goods: [goods('TEE', 1, 0, 'NOK', bad)] })).toEqual([
      'hs_missing',
      'origin_missing',
      'value_zero',
      'net_missing',
      'description_missing',
    ])
    expect(codes({ goods: [goods('TEE', 1, 100, 'NOK', { net_g: 210, gross_g: 200 })] })).toEqual(['net_over_gross'])
    expect(codes({ goods: [] })).toEqual(['goods_missing'])
  })

  it('given away they are declared at their cost price on a pro forma invoice', () => {
    const gift = goods('TEE', 1, 0, 'NOK', { cost: { amount: 9_000, currency: 'NOK' } })
    expect(declaredValue(gift)).toEqual({ amount: 9_000, currency: 'NOK' })
    expect(decide(facts({ goods: [gift] })).papers).toEqual(['proforma'])
    expect(codes({ goods: [goods('TEE', 1, 0, 'NOK')] })).toEqual(['value_zero'])
  })

  it('of equal code, origin and text are one line: 14 lines become 13', () => {
    const lines = Array.from({ length: 14 }, (_, i) => goods('TEE', 1, 100, 'NOK', { description: `Shirt ${Math.min(i, 12)}` }))
    expect(mergedGoods(lines)).toHaveLength(13)
    expect(mergedGoods(lines).at(-1)).toMatchObject({ quantity: 2, value: { amount: 200 }, net_g: 400 })
    const postnord = { agent_code: 'postnord', name: 'PostNord', method: '19', numbers: [], max_lines: 13 } as const
    expect(codes({ goods: lines, courier: postnord })).toEqual([])
    expect(codes({ goods: [...lines, goods('CAP', 1, 100, 'NOK')], courier: postnord })).toEqual(['too_many_lines'])
  })

  it('are described by what they are, what they are made of and what they are for', () => {
    expect(describedGoods(['T-shirt', 'knitted cotton', 'for wearing'])).toBe('T-shirt, knitted cotton, for wearing')
    expect(describedGoods(['A lamp with a very long name of its own', 'aluminium and glass', 'for camping']).length).toBeLessThanOrEqual(50)
  })
})

describe('numbers', () => {
  it.each([
    ['ioss', 'IE', 'IM3720000001', true],
    ['ioss', 'IE', 'IM372000000', false],
    ['voec', 'NO', '2000000', true],
    ['voec', 'NO', '1000000', false],
    ['voec', 'NO', '200000', false],
    ['eori', 'DK', 'DK 12 34 56 78', true],
    ['eori', 'DK', '12345678', false],
    ['eori', 'GB', 'GB123456789000', true],
    ['eori', 'GB', 'GB1234', false],
    ['vat', 'DK', 'DK12345678', true],
    ['vat', 'DK', 'DK1234567', false],
    ['vat', 'GB', 'XI123456789', true],
    ['vat', 'CH', 'CHE123456789MWST', true],
  ] as const)('%s %s %s has its form: %s', (kind, country, value, fine) => {
    expect(hasForm(kind, country, value)).toBe(fine)
  })

  it('of Norway have a check digit', () => {
    expect(isRegistrationNumber('NO', '974760673')).toBe(true)
    expect(isRegistrationNumber('NO', '974 760 673 MVA')).toBe(true)
    expect(isRegistrationNumber('NO', '974760674')).toBe(false)
  })
})
