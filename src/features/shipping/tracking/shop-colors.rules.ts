/** The shop's colour on its public pages, moved until everybody can read it (WCAG 2.2 AA: 4.5 to 1). */

export interface ShopColors {
  /** On light paper, and what is written upon it. */
  light: string
  on_light: string
  /** On dark paper, and what is written upon it. */
  dark: string
  on_dark: string
}

/** The page's papers: the darker of the light ones and the lighter of the dark ones, so that the others are easier still. */
const papers = { light: '#f3f0ea', dark: '#252c33' } as const
const white = '#ffffff'
const night = '#0e1215'
const harbour = '#14597a'
const least = 4.5

type Rgb = [number, number, number]
const rgbOf = (hex: string): Rgb => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
const hexOf = (rgb: Rgb): string => `#${rgb.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const mixed = (from: Rgb, to: Rgb, part: number): Rgb => {
  const between = (one: number, other: number) => one + (other - one) * part
  return [between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])]
}

function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map(part => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 to 21. */
export function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** As near to the shop's own colour as can be read on that paper. */
function readable(color: string, paper: string, towards: string): string {
  for (let step = 0; step <= 50; step++) {
    const tried = hexOf(mixed(rgbOf(color), rgbOf(towards), step / 50))
    if (contrast(tried, paper) >= least) return tried
  }
  return towards
}

export function shopColors(color: string | null): ShopColors {
  const own = color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : harbour
  return {
    light: readable(own, papers.light, '#000000'),
    on_light: white,
    dark: readable(own, papers.dark, '#ffffff'),
    on_dark: night,
  }
}
