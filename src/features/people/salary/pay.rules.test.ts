/** Pay: the worked examples, nights with a change of the clock, corrections and files. */
import { describe, expect, it } from 'vitest'
import { spanOf } from '#features/people/schedule/shifts.rules.ts'
import {
  amountOf,
  type DayCounts,
  differences,
  factorOf,
  hoursOf,
  minorOf,
  type PayRules,
  type PersonWork,
  payBy,
  type Supplement,
  type Tariff,
  type Term,
  termOn,
  totalOf,
} from './pay.rules.ts'
import { csvText, danlonText, type FileLine } from './pay-file.rules.ts'
import { leaveKey, lessorColumns, lessorFirstLine } from './salary.codes.ts'
import { leaveText } from './salary-words.client.ts'

const zone = 'Europe/Copenhagen'
const always = { valid_from: '2020-01-01', valid_to: null }
const quality = {
  steps: [
    { accuracy: 9_950, factor: 1_000 },
    { accuracy: 9_900, factor: 950 },
  ],
  below: 900,
  fewest_scans: 200,
}
const rules = (more: Partial<PayRules> = {}): PayRules => ({
  ...{ zone, decimals: 2, holidays: new Set<string>(), supplements: [], tariffs: [], pilot: null, quality, floor_scope: 'period' },
  codes: { hours: '1', commission: '30', floor: '31', leave: { 1: '50' }, leave_units: {} },
  ...more,
})
const supplement = (id: number, more: Partial<Supplement>): Supplement => ({
  ...{
    id,
    name: `Rule ${id}`,
    weekdays: [],
    public_holiday: false,
    from_local: null,
    to_local: null,
    rate: 1_000,
    rule_group: '',
    pay_code: '20',
  },
  ...always,
  ...more,
})
const night = supplement(1, { from_local: '22:00', to_local: '06:00' })
const hourly: Term = { valid_from: '2020-01-01', salary_type: 'hourly', rate: 18_550, floor_rate: 0 }
const commission: Term = { ...hourly, salary_type: 'commission', floor_rate: 15_000 }
const shift = (work_date: string, start_local: string, end_local: string) => {
  const { start: from, end: to } = spanOf({ work_date, start_local, end_local }, zone)
  return { work_date, intervals: [{ from, to }] }
}
const counts = (more: Partial<DayCounts> = {}): DayCounts => ({
  ...{ day: '2026-11-10', kind: 'pack', orders: 0, lines: 0, pieces: 0, grams: 0, wagons: 0, scans: 0, wrong: 0 },
  ...more,
})
const work = (more: Partial<PersonWork>): PersonWork => ({ days: [], counts: [], leave: [], terms: [hourly], ...more })
const tariff = (id: number, unit: Tariff['unit'], rate_micro: number, more: Partial<Tariff> = {}): Tariff => ({
  ...{ id, name: unit, unit, rate_micro },
  ...always,
  ...more,
})
const hoursFor = (made: ReturnType<ReturnType<typeof payBy>>, id: number) =>
  made.lines.find(line => line.key.startsWith(`supplement ${id} `))?.units_c ?? 0

describe('hours', () => {
  it('of 152.25 at 185.50 pay 28,242.38', () => {
    expect(amountOf(15_225, 18_550)).toBe(2_824_238)
    expect(amountOf(-50, 18_550)).toBe(-9_275)
  })

  it('are summed in seconds and rounded once', () => {
    expect(hoursOf(79_200)).toBe(2_200)
    expect(hoursOf(3_618)).toBe(101)
    const seven = 26_400_000
    const days = [1, 2, 3].map(place => ({ work_date: `2026-11-0${place}`, intervals: [{ from: 0, to: seven }] }))
    expect(payBy(rules())(work({ days })).lines).toMatchObject([{ units_c: 2_200, amount: 408_100 }])
  })

  it('take the rate of the work date: a night over the first of December stays at the old one', () => {
    const terms = [hourly, { ...hourly, valid_from: '2026-12-01', rate: 20_000 }]
    const { lines } = payBy(rules())(work({ terms, days: [shift('2026-11-30', '22:00', '06:00')] }))
    expect(lines).toMatchObject([{ rate: 18_550, units_c: 800, amount: 148_400 }])
  })

  it('without a rate are named by their day', () => {
    const made = payBy(rules())(work({ terms: [], days: [shift('2026-11-10', '06:00', '14:00')] }))
    expect(made.without_rate).toEqual(['2026-11-10'])
  })
})

describe('supplements', () => {
  const saturday = supplement(2, { weekdays: [6] })
  const sunday = supplement(3, { weekdays: [7] })

  it.each([
    ['2026-03-28', 700, 200, 500],
    ['2026-10-24', 900, 200, 700],
    ['2026-11-14', 800, 200, 600],
  ])('of a night from %s count real hours: night %i, Saturday %i, Sunday %i', (day, ofNight, ofSaturday, ofSunday) => {
    const made = payBy(rules({ supplements: [night, saturday, sunday] }))(work({ days: [shift(day, '22:00', '06:00')] }))
    expect([hoursFor(made, 1), hoursFor(made, 2), hoursFor(made, 3)]).toEqual([ofNight, ofSaturday, ofSunday])
  })

  it('of a whole night hold as long as the night: seven hours in March, nine in October', () => {
    const night = supplement(1, { from_local: '22:00', to_local: '06:00' })
    const of = (day: string) => hoursFor(payBy(rules({ supplements: [night] }))(work({ days: [shift(day, '22:00', '06:00')] })), 1)
    expect([of('2026-03-28'), of('2026-10-24'), of('2026-11-14')]).toEqual([700, 900, 800])
  })

  it('whose time the clock leaves out or shows twice hold where the clock shows it', () => {
    const odd = supplement(1, { from_local: '02:15', to_local: '02:45' })
    const of = (day: string) => hoursFor(payBy(rules({ supplements: [odd] }))(work({ days: [shift(day, '22:00', '06:00')] })), 1)
    expect(of('2026-11-14')).toBe(50)
    expect(of('2026-10-24')).toBe(100)
    expect(of('2026-03-28')).toBe(0)
  })

  it('of a public holiday are paid from midnight of a night whose work date is the day before', () => {
    const holiday = supplement(4, { public_holiday: true })
    const days = [shift('2026-12-31', '22:00', '06:00')]
    const made = payBy(rules({ supplements: [holiday], holidays: new Set(['2027-01-01']) }))(work({ days }))
    expect(hoursFor(made, 4)).toBe(600)
    expect(made.lines[0]?.parts[0]?.day).toBe('2026-12-31')
  })

  it('of one group pay the highest, of two groups both', () => {
    const days = [shift('2026-11-14', '18:00', '20:00')]
    const of = (rule_group: string) => {
      const supplements = [
        supplement(1, { from_local: '17:00', to_local: '22:00', rate: 2_550, rule_group: 'time' }),
        supplement(2, { weekdays: [6], rate: 5_000, rule_group }),
      ]
      return totalOf(payBy(rules({ supplements }))(work({ days })).lines.filter(line => line.kind === 'supplement'))
    }
    expect(of('time')).toBe(10_000)
    expect(of('day')).toBe(15_100)
  })

  it('that end at midnight hold to the end of the day, and only while they are valid', () => {
    const evening = supplement(1, { from_local: '18:00', to_local: '00:00', valid_to: '2026-11-10' })
    const days = [shift('2026-11-10', '16:00', '02:00'), shift('2026-11-11', '16:00', '02:00')]
    expect(hoursFor(payBy(rules({ supplements: [evening] }))(work({ days })), 1)).toBe(600)
  })
})

describe('commission', () => {
  const tariffs = [
    tariff(1, 'pack_order', 1_250_000),
    tariff(2, 'pack_line', 400_000),
    tariff(3, 'pack_piece', 100_000),
    tariff(4, 'pack_kg', 50_000),
  ]
  const month = counts({ orders: 2_400, lines: 5_100, pieces: 9_800, grams: 3_250_400 })
  const forty = { work_date: '2026-11-10', intervals: [{ from: 0, to: 144_000_000 }] }

  it('of orders, lines, pieces and kilograms is 6,182.52', () => {
    const made = payBy(rules({ tariffs }))(work({ terms: [commission], counts: [month] }))
    expect(made.lines).toMatchObject([{ kind: 'commission', amount: 618_252 }])
  })

  it('is multiplied with the quality, and filled up to the floor by a line of its own', () => {
    const counted = { ...month, scans: 10_000, wrong: 100 }
    const made = payBy(rules({ tariffs }))(work({ terms: [commission], counts: [counted], days: [forty] }))
    expect(made.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['commission', 587_339],
      ['floor', 12_661],
    ])
    expect(totalOf(made.lines)).toBe(600_000)
  })

  it('takes the tariff of the day: 1,000 orders at 1.25 and 1,400 at 1.30 are 3,070', () => {
    const changed = [
      tariff(1, 'pack_order', 1_250_000, { valid_to: '2026-11-15' }),
      tariff(2, 'pack_order', 1_300_000, { valid_from: '2026-11-16' }),
    ]
    const halves = [counts({ day: '2026-11-15', orders: 1_000 }), counts({ day: '2026-11-16', orders: 1_400 })]
    expect(totalOf(payBy(rules({ tariffs: changed }))(work({ terms: [commission], counts: halves })).lines)).toBe(307_000)
  })

  it('reaches the floor on each day where the company says so', () => {
    const terms = [commission]
    const days = [shift('2026-11-10', '06:00', '10:00'), shift('2026-11-11', '06:00', '10:00')]
    const some = [counts({ day: '2026-11-10', orders: 1_000 }), counts({ day: '2026-11-11', orders: 100 })]
    const of = (floor_scope: 'period' | 'day') =>
      payBy(rules({ tariffs, floor_scope }))(work({ terms, days, counts: some })).lines.find(line => line.kind === 'floor')?.amount
    expect(of('period')).toBeUndefined()
    expect(of('day')).toBe(47_500)
  })

  it('is shown by the tariffs of the pilot beside what is paid', () => {
    const pilot = [tariff(9, 'pack_order', 2_000_000)]
    const made = payBy(rules({ tariffs, pilot }))(
      work({ terms: [hourly], counts: [counts({ orders: 100 })], days: [shift('2026-11-10', '06:00', '07:00')] }),
    )
    expect([totalOf(made.lines), made.pilot_total]).toEqual([18_550, 20_000])
  })

  it.each([
    [199, 100, 1_000],
    [1_000, 5, 1_000],
    [1_000, 6, 950],
    [1_000, 10, 950],
    [1_000, 11, 900],
  ])('of %i scans with %i wrong ones is multiplied with %i thousandths', (scans, wrong, factor) => {
    expect(factorOf(scans, wrong, quality)).toBe(factor)
  })
})

describe('a correction after the export', () => {
  const made = (hours_c: number) =>
    payBy(rules())(work({ days: [{ work_date: '2026-10-05', intervals: [{ from: 0, to: hours_c * 36_000 }] }] })).lines

  it('of 152.25 to 151.75 hours is a line of −0.50', () => {
    expect(differences(made(15_175), made(15_225))).toMatchObject([{ units_c: -50, rate: 18_550, amount: -9_275 }])
  })

  it('without a change is nothing, and of a line that is gone its reverse', () => {
    expect(differences(made(100), made(100))).toEqual([])
    expect(differences([], made(100))).toMatchObject([{ units_c: -100, amount: -18_550 }])
  })

  it('compares with the sum of all exports', () => {
    const [first] = made(15_225)
    expect(differences(made(15_175), first ? [first, { ...first, units_c: -50, amount: -9_275 }] : [])).toEqual([])
  })
})

describe('a file', () => {
  const line = (more: Partial<FileLine>): FileLine => ({
    ...{ employee_no: '1004', name: 'Kim', pay_code: '1', text: 'Hours', units_c: 15_225, rate: 18_550, amount: 2_824_238 },
    ...{ from: '2026-11-01', to: '2026-11-30', origin: 0, ...more },
  })
  const lines = [
    line({ units_c: -50, amount: -9_275, origin: 7 }),
    line({ pay_code: '30', units_c: null, rate: null, amount: 412_550 }),
    line({ pay_code: '20', units_c: 1_200, rate: 2_550, amount: 30_600 }),
    line({}),
  ]

  it('for Danløn has six fields a line, in order of employee, pay type and origin', () => {
    expect(danlonText('12345678', lines)).toBe(
      ['12345678;1004;1;15225;18550;', '12345678;1004;1;-50;18550;', '12345678;1004;20;1200;2550;', '12345678;1004;30;;;412550', ''].join(
        '\r\n',
      ),
    )
  })

  it('with own columns says decimals as the company wants them, and no formula', () => {
    const format = { separator: ';', decimal: ',', encoding: 'utf-8', header: true, first_line: '' } as const
    const some = [line({ name: '=HYPERLINK("x")' }), line({ units_c: -50, amount: -9_275, name: 'Lund; Kim' })]
    expect(csvText('', some, { ...format, columns: ['employee_no', 'name', 'units', 'amount'] })).toBe(
      ['employee_no;name;units;amount', `1004;"'=HYPERLINK(""x"")";152,25;28242,38`, '1004;"Lund; Kim";-0,50;-92,75', ''].join('\r\n'),
    )
  })

  it('for Lessor has its names, and an amount without units as one unit', () => {
    const format = { separator: ';', decimal: '.', encoding: 'utf-8-plain', header: true, first_line: lessorFirstLine } as const
    const some = [line({ employee_no: '8', units_c: 1_887, rate: 12_000, amount: 226_440 }), ...lines.slice(0, 2)]
    expect(csvText('', some, { ...format, columns: lessorColumns })).toBe(
      ['employeeemploymentcode;paytypecode;units;rate', '8;1;18.87;120.00', '1004;1;-0.50;185.50', '1004;30;1.00;4125.50', ''].join('\r\n'),
    )
  })
})

it.each([
  [1_800, 50],
  [17, 0],
  [18, 1],
  [0, 0],
  [-1_800, -50],
  [-18, -1],
])('%d seconds are %d hundredths of an hour', (seconds, hundredths) => expect(hoursOf(seconds)).toBe(hundredths))

it.each([
  [1_230_000, 2, 123],
  [1_234_000, 2, null],
  [1_234_000, 3, 1_234],
  [5_000_000, 0, 5],
  [0, 2, 0],
])('a tariff of %d millionths with %d decimals is %s minor units', (tariffRate, decimals, minor) => {
  expect(minorOf(tariffRate, decimals)).toBe(minor)
})

describe('leave in words', () => {
  it('is counted by its number, so that one day is one day', () => {
    const say = (key: string, values: Readonly<Record<string, unknown>> = {}) => `${key}: ${values.count}`
    expect(leaveText(say, { key: leaveKey(1, 'days'), units_c: 100 })).toBe('{{count}} leave days: 1')
    expect(leaveText(say, { key: leaveKey(1, 'hours'), units_c: 750 })).toBe('{{count}} hours: 7.5')
  })
})

describe('the pay of a day', () => {
  const raised: Term = { ...hourly, valid_from: '2026-11-10', rate: 20_000 }

  it('is the latest that has begun, in whatever order the terms stand', () => {
    for (const terms of [
      [hourly, raised],
      [raised, hourly],
    ]) {
      expect(termOn(terms, '2026-11-09')?.rate).toBe(18_550)
      expect(termOn(terms, '2026-11-10')?.rate).toBe(20_000)
    }
    expect(termOn([raised], '2026-11-09')).toBe(null)
  })

  it('makes a line of hours for each rate, and names days without pay only where someone worked', () => {
    const days = [shift('2026-11-09', '08:00', '10:00'), shift('2026-11-10', '08:00', '11:00'), { work_date: '2026-11-08', intervals: [] }]
    const made = payBy(rules())(work({ days: [...days, shift('2019-12-31', '08:00', '09:00')], terms: [hourly, raised] }))
    expect(made.lines.map(({ key, units_c, amount }) => [key, units_c, amount])).toEqual([
      ['hours 18550', 200, 37_100],
      ['hours 20000', 300, 60_000],
    ])
    expect(made.without_rate).toEqual(['2019-12-31'])
    expect(made.seconds).toBe(6 * 3_600)
    expect(payBy(rules())(work({ days: [{ work_date: '2019-12-31', intervals: [] }] })).without_rate).toEqual([])
  })
})

describe('a supplement', () => {
  const paidOf = (rule: Partial<Supplement>, more: Partial<PayRules> = {}, days = [shift('2026-11-13', '20:00', '02:00')]) =>
    hoursFor(payBy(rules({ supplements: [supplement(1, rule)], ...more }))(work({ days })), 1)

  it.each([
    ['on every day', {}, 600],
    ['on Fridays', { weekdays: [5] }, 400],
    ['on Saturdays', { weekdays: [6] }, 200],
    ['on Sundays', { weekdays: [7] }, 0],
    ['from 21:00 to 23:00', { from_local: '21:00', to_local: '23:00' }, 200],
    ['from 23:00 to 01:00', { from_local: '23:00', to_local: '01:00' }, 200],
    ['until Friday', { valid_to: '2026-11-13' }, 400],
    ['from Saturday', { valid_from: '2026-11-14' }, 200],
    ['on public holidays, of which there is none', { public_holiday: true }, 0],
  ] as const)('%s is paid in a night from Friday to Saturday', (_, rule, hundredths) => {
    expect(paidOf({ ...rule, weekdays: 'weekdays' in rule ? [...rule.weekdays] : [] })).toBe(hundredths)
  })

  it('for public holidays is paid on them, whatever its weekdays', () => {
    expect(paidOf({ public_holiday: true, weekdays: [1] }, { holidays: new Set(['2026-11-14']) })).toBe(200)
  })

  it('pays the highest of its group, in whatever order they stand, and each that has no group', () => {
    const low = supplement(1, { rate: 1_000, rule_group: 'evening' })
    const high = supplement(2, { rate: 2_000, rule_group: 'evening' })
    const other = supplement(3, { rate: 500 })
    const last = supplement(4, { rate: 400 })
    for (const supplements of [
      [low, high, last, other],
      [other, high, low, last],
    ]) {
      const made = payBy(rules({ supplements }))(work({ days: [shift('2026-11-13', '08:00', '10:00')] }))
      expect(made.lines.filter(line => line.kind === 'supplement').map(({ key, name, amount }) => [key, name, amount])).toEqual([
        ['supplement 2 2000', 'Rule 2', 4_000],
        ['supplement 3 500', 'Rule 3', 1_000],
        ['supplement 4 400', 'Rule 4', 800],
      ])
    }
  })

  it('is one part where the time goes on, over midnight too, and two with a pause between', () => {
    const parts = (days: ReturnType<typeof shift>[]) =>
      payBy(rules({ supplements: [night] }))(work({ days }))
        .lines.find(line => line.kind === 'supplement')
        ?.parts.map(part => part.seconds)
    expect(parts([shift('2026-11-13', '20:00', '02:00')])).toEqual([4 * 3_600])
    const [one, other] = [shift('2026-11-13', '22:00', '23:00'), shift('2026-11-13', '23:30', '23:45')]
    expect(parts([{ ...one, intervals: [...one.intervals, ...other.intervals] }])).toEqual([3_600, 900])
  })
})

it('days of leave are a line for each reason, without money', () => {
  const leave = [
    { day: '2026-11-10', units_c: 100, reason_id: 1, rest: null, seconds: 26_640 },
    { day: '2026-11-11', units_c: 50, reason_id: 1, rest: null, seconds: 13_320 },
    { day: '2026-11-12', units_c: 100, reason_id: 2, rest: null, seconds: null },
  ]
  const { lines } = payBy(rules())(work({ leave }))
  const bare = { from: null, to: null, seconds: 0, name: '', unit: null, rate_micro: 0 }
  const line = { kind: 'leave', rate: null, amount: 0 }
  expect(lines).toEqual([
    {
      ...line,
      ...{ key: 'leave 1', name: '1', pay_code: '50', units_c: 150 },
      parts: [
        { ...bare, day: '2026-11-10', units_milli: 1_000 },
        { ...bare, day: '2026-11-11', units_milli: 500 },
      ],
    },
    { ...line, ...{ key: 'leave 2', name: '2', pay_code: '', units_c: 100 }, parts: [{ ...bare, day: '2026-11-12', units_milli: 1_000 }] },
  ])
})

it('leave that is counted in hours is the hours of its days, and days of which none are known are named', () => {
  const leave = [
    { day: '2026-11-10', units_c: 100, reason_id: 1, rest: null, seconds: 26_640 },
    { day: '2026-11-11', units_c: 50, reason_id: 1, rest: null, seconds: 13_320 },
    { day: '2026-11-13', units_c: 31, reason_id: 1, rest: { from: 1, to: 8_400_001, seconds: 8_400 }, seconds: 8_400 },
    { day: '2026-11-12', units_c: 100, reason_id: 3, rest: null, seconds: null },
  ]
  const codes = { ...rules().codes, leave_units: { 1: 'hours', 3: 'days' } as const }
  const pay = payBy(rules({ codes }))(work({ leave }))
  // 7.40 + 3.70 + 2.33 hours: summed first, rounded once.
  expect(pay.lines).toMatchObject([
    { key: 'leave 1 hours', name: '1', pay_code: '50', units_c: 1_343, rate: null, amount: 0 },
    { key: 'leave 3', units_c: 100 },
  ])
  expect(pay.lines[0]?.parts.map(part => part.seconds)).toEqual([26_640, 13_320, 8_400])
  expect(pay.without_hours).toEqual([])
  const inHours = payBy(rules({ codes: { ...codes, leave_units: { 3: 'hours' } } }))(work({ leave }))
  expect(inHours.without_hours).toEqual(['2026-11-12'])
})

it('a kind of leave that is counted in hours from now on takes its exported days back', () => {
  const leave = [{ day: '2026-11-10', units_c: 100, reason_id: 1, rest: null, seconds: 26_640 }]
  const asDays = payBy(rules())(work({ leave })).lines
  const asHours = payBy(rules({ codes: { ...rules().codes, leave_units: { 1: 'hours' } } }))(work({ leave })).lines
  expect(differences(asHours, asDays).map(({ key, units_c }) => [key, units_c])).toEqual([
    ['leave 1 hours', 740],
    ['leave 1', -100],
  ])
})

it.each([
  ['pick', 'pick_order', 2],
  ['pick', 'pick_line', 3],
  ['pick', 'pick_piece', 4],
  ['pick', 'pick_wagon', 5],
  ['pick', 'pick_kg', 6],
  ['pack', 'pack_order', 2],
  ['pack', 'pack_line', 3],
  ['pack', 'pack_piece', 4],
  ['pack', 'pack_kg', 6],
  ['pack', 'pick_order', 0],
  ['pick', 'pack_kg', 0],
] as const)('of work at %s the tariff %s pays %d units', (kind, unit, units) => {
  const of = counts({ kind, orders: 2, lines: 3, pieces: 4, wagons: 5, grams: 6_000 })
  const made = payBy(rules({ tariffs: [tariff(1, unit, 1_000_000)] }))(work({ counts: [of], terms: [{ ...commission, floor_rate: 0 }] }))
  expect(totalOf(made.lines)).toBe(units * 100)
})

describe('what is right of the scans', () => {
  it.each([
    [200, 0, 1_000],
    [200, 1, 1_000],
    [200, 2, 950],
    [200, 3, 900],
    [199, 100, 1_000],
    [200, 200, 900],
  ])('of %d with %d wrong multiplies by %d thousandths', (scans, wrong, factor) => {
    expect(factorOf(scans, wrong, quality)).toBe(factor)
    expect(factorOf(scans, wrong, { ...quality, steps: quality.steps.toReversed() })).toBe(factor)
  })

  it('is not known without scans', () => expect(factorOf(0, 0, { ...quality, fewest_scans: 0 })).toBe(1_000))
})

describe('what differs from an export', () => {
  const made = payBy(rules())(work({ days: [shift('2026-11-09', '08:00', '10:00')] })).lines
  const frozen = made.map(({ parts: _, ...line }) => line)

  it('is everything where nothing was exported, and nothing where all was', () => {
    expect(differences(made, [])).toEqual(made)
    expect(differences(made, frozen)).toEqual([])
  })

  it('is taken back where a line is gone, with the sum of all exports', () => {
    expect(differences([], [...frozen, ...frozen])).toEqual([{ ...frozen[0], units_c: -400, amount: -74_200, parts: [] }])
    const [one] = frozen
    if (!one) throw new Error('No line')
    expect(differences([], [{ ...one, units_c: null }])).toEqual([{ ...one, units_c: null, amount: -37_100, parts: [] }])
  })

  it('is nothing of what was taken back before', () => {
    const back = frozen.map(line => ({ ...line, units_c: -200, amount: -line.amount }))
    expect(differences([], [...frozen, ...back])).toEqual([])
    expect(differences(made, [...frozen, ...back])).toEqual(made)
  })

  it('is also a change of units alone, or of money alone', () => {
    expect(
      differences(
        made,
        frozen.map(line => ({ ...line, units_c: 150 })),
      ),
    ).toMatchObject([{ units_c: 50, amount: 0 }])
    expect(
      differences(
        made,
        frozen.map(line => ({ ...line, amount: 30_000 })),
      ),
    ).toMatchObject([{ units_c: 0, amount: 7_100 }])
    expect(
      differences(
        [],
        frozen.map(line => ({ ...line, amount: 0 })),
      ),
    ).toMatchObject([{ units_c: -200 }])
    expect(
      differences(
        [],
        frozen.map(line => ({ ...line, units_c: 0 })),
      ),
    ).toMatchObject([{ amount: -37_100 }])
  })
})
