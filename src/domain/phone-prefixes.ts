/** The international prefixes of telephone numbers, by country (source: ITU-T E.164, list of assigned country codes). */

const assigned =
  'AD376 AE971 AF93 AG1268 AI1264 AL355 AM374 AO244 AR54 AS1684 AT43 AU61 AW297 AX358 AZ994 BA387 BB1246 BD880 BE32 BF226 BG359 BH973 BI257 BJ229 BL590 BM1441 BN673 BO591 BQ599 BR55 BS1242 BT975 BW267 BY375 BZ501 CA1 CC61 CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1767 DO1809 DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1473 GE995 GF594 GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GT502 GU1671 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1876 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1869 KP850 KR82 KW965 KY1345 KZ7 LA856 LB961 LC1758 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1670 MQ596 MR222 MS1664 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1787 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1721 SY963 SZ268 TC1649 TD235 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1868 TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VA379 VC1784 VE58 VG1284 VI1340 VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263'

/** Country → digits after the plus. */
export const phonePrefixes: ReadonlyMap<string, string> = new Map(assigned.split(' ').map(one => [one.slice(0, 2), one.slice(2)]))

/** Where several countries share a prefix, the one that most numbers belong to. */
const largest: Readonly<Record<string, string>> = {
  1: 'US',
  7: 'RU',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  262: 'RE',
  358: 'FI',
  590: 'GP',
  599: 'CW',
}

export interface SplitPhone {
  /** Null where the number carries no known prefix. */
  country: string | null
  number: string
}

/** `+45 12 34 56 78` is Denmark and `12 34 56 78`; `preferred` decides where countries share a prefix. */
export function splitPhone(text: string, preferred?: string): SplitPhone {
  const international = /^\s*(?:\+|00)([\d\s().-]*)$/.exec(text)?.[1]
  if (international === undefined) return { country: null, number: text }
  const digits = international.replace(/\D/g, '')
  for (let length = Math.min(4, digits.length); length > 0; length--) {
    const prefix = digits.slice(0, length)
    const countries = [...phonePrefixes].filter(([, code]) => code === prefix).map(([country]) => country)
    if (countries.length === 0) continue
    const country = countries.find(one => one === preferred) ?? largest[prefix] ?? countries[0] ?? null
    return { country, number: afterDigits(international, length) }
  }
  return { country: null, number: text }
}

/** What stands after so many digits, without the separators before it. */
function afterDigits(text: string, count: number): string {
  let left = count
  for (const [at, sign] of [...text].entries()) {
    if (left === 0) return text.slice(at).replace(/^[\s().-]+/, '')
    if (/\d/.test(sign)) left--
  }
  return ''
}

/** The number as it is kept: empty without digits, without a prefix where no country is chosen. */
export function joinPhone({ country, number }: SplitPhone): string {
  const prefix = country === null ? undefined : phonePrefixes.get(country)
  // A space at the end may be the beginning of the next group of digits.
  const written = number.trimStart()
  if (written === '' || prefix === undefined || /^(?:\+|00)/.test(written)) return written
  return `+${prefix} ${written}`
}
