/** Converts country names from shops – codes, English names, old names – to ISO 3166-1 alpha-2. */

/** CLDR regions that are no postal destination, or that are obsolete or duplicate codes. */
const notCountries = new Set(
  'AC AN AQ BU BV CP CQ CS DD DG DY EA EU EZ FX HM HV IC NH NT QO RH SU TA TP UK UM UN VD XA XB YD YU ZR ZZ'.split(' '),
)

/** Names that shops use in addition to CLDR's. Keys are in the form that `folded` makes. */
const otherNames: Record<string, string> = {
  uk: 'GB',
  el: 'GR',
  greatbritain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  northernireland: 'GB',
  eire: 'IE',
  republicofireland: 'IE',
  channelislands: 'JE',
  usa: 'US',
  unitedstatesofamerica: 'US',
  us: 'US',
  holland: 'NL',
  thenetherlands: 'NL',
  czechrepublic: 'CZ',
  ceskarepublika: 'CZ',
  tschechischerepublik: 'CZ',
  republiquetcheque: 'CZ',
  slovakrepublic: 'SK',
  slovenskarepublika: 'SK',
  bundesrepublikdeutschland: 'DE',
  turkey: 'TR',
  rsa: 'ZA',
  korea: 'KR',
  republicofkorea: 'KR',
  russianfederation: 'RU',
  hongkong: 'HK',
  macao: 'MO',
  macau: 'MO',
  macedonia: 'MK',
  swaziland: 'SZ',
  burma: 'MM',
  ivorycoast: 'CI',
  vietnam: 'VN',
  uae: 'AE',
  faeroeislands: 'FO',
  canaryislands: 'ES',
  danmark: 'DK',
  norge: 'NO',
  noreg: 'NO',
  sverige: 'SE',
  suomi: 'FI',
  island: 'IS',
  deutschland: 'DE',
  osterreich: 'AT',
  schweiz: 'CH',
  suisse: 'CH',
  nederland: 'NL',
  belgie: 'BE',
  belgique: 'BE',
  espana: 'ES',
  italia: 'IT',
  polska: 'PL',
  storbritannien: 'GB',
  storbritannia: 'GB',
  tyskland: 'DE',
  frankrig: 'FR',
  frankrike: 'FR',
  faroerne: 'FO',
  grønland: 'GL',
  gronland: 'GL',
}

/** Signs of vehicles, which offices of the countries around the Alps write for countries: `D`, `A`, `CH`. */
const vehicleSigns = 'd=DE a=AT f=FR i=IT e=ES b=BE l=LU s=SE n=NO p=PT h=HU fl=LI slo=SI'
  .split(' ')
  .map(pair => [pair.slice(0, -3), pair.slice(-2)] as const)

const otherLocales = ['da', 'de', 'sv', 'nb', 'fi', 'nl', 'fr', 'es', 'it', 'pl', 'pt', 'is', 'cs']

/** ISO 3166-1 alpha-3 of the countries that parcels of European shops mostly go to. */
const threeLetters = new Map(
  'dnk=DK swe=SE nor=NO fin=FI isl=IS fro=FO grl=GL deu=DE aut=AT che=CH nld=NL bel=BE lux=LU fra=FR esp=ES prt=PT ita=IT gbr=GB irl=IE pol=PL cze=CZ svk=SK hun=HU rou=RO bgr=BG grc=GR est=EE lva=LV ltu=LT svn=SI hrv=HR cyp=CY mlt=MT lie=LI usa=US can=CA aus=AU nzl=NZ jpn=JP'
    .split(' ')
    .map(pair => [pair.slice(0, 3), pair.slice(4)] as const),
)

const folded = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/&/g, 'and')
    .replace(/\bst\./g, 'saint')
    .replace(/[^a-z]/g, '')

const codes = new Map<string, string>()
const byName = new Map<string, string>()

function learnCodes(): void {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (let first = 65; first <= 90; first++) {
    for (let second = 65; second <= 90; second++) {
      const code = String.fromCharCode(first, second)
      const name = names.of(code)
      if (!name || notCountries.has(code)) continue
      codes.set(code, name)
      byName.set(folded(name), code)
    }
  }
  for (const [name, code] of Object.entries(otherNames)) byName.set(name, code)
}

/** Shops write countries in their own language. English and the names above go first: some words are names in two languages. */
function learnNames(locale: string): void {
  const own = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  for (const code of codes.keys()) {
    const name = folded(own.of(code) ?? '')
    if (name !== '' && !byName.has(name)) byName.set(name, code)
  }
}

function learnLetters(): void {
  for (const [sign, code] of [...threeLetters, ...vehicleSigns]) if (!byName.has(sign)) byName.set(sign, code)
}

/** What is still to be learned, in order: each step takes some milliseconds, all of them a tenth of a second. */
const steps: (() => void)[] = [learnCodes, ...otherLocales.map(locale => () => learnNames(locale)), learnLetters]
const learn = () => {
  while (steps.length > 0) steps.shift()?.()
}

/** Learns the names of countries ahead of their first use, with a pause between the steps. */
export async function prepareCountryNames(pause: () => Promise<unknown>): Promise<void> {
  while (steps.length > 0) {
    steps.shift()?.()
    await pause()
  }
}

/** Whether the two upper-case letters are a country's code. `UK` is not one. */
export function isCountry(code: string): boolean {
  if (codes.size === 0) steps.shift()?.()
  return codes.has(code)
}

/** `'dk'`, `'Denmark'`, `'EIRE'`, `'UK'` → the code, or null where the text names no country (`'Unspecified'`). */
export function countryCode(text: string): string | null {
  learn()
  const code = text.trim().toUpperCase()
  if (codes.has(code)) return code
  return byName.get(folded(text)) ?? null
}
