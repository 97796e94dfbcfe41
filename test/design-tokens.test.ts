/** The rules of the look: styles use tokens only, and the colours of the tokens can be read by day and by night. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { slotLabel } from '#features/warehouse/pick-lists/slot-colors.rules.ts'
import { darkColors, lightColors } from '#ui/kit/theme-colors.ts'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const themeCss = readFileSync(`${src}ui/theme.css`, 'utf8')

/** Set by a component on its own element, or by its style for the chart inside, in another file. */
const burnDown = ['--burn-left', '--burn-needed', '--burn-forecast', '--burn-due', '--burn-text']
const local = new Set(['--back', '--front', '--letters', '--on-fill', '--aside', ...burnDown])

/** What a CSS module may not write itself, and what it writes instead. */
const rawValues: readonly [name: string, pattern: RegExp][] = [
  ['a colour', /#[0-9a-f]{3,8}\b/i],
  ['a size of letters', /\bfont-size:(?!\s*(?:inherit|var\(|clamp\(var\())/],
  ['a weight', /\bfont-weight:(?!\s*(?:inherit|var\())/],
  ['a font', /\bfont:(?!\s*(?:inherit|var\())/],
  ['a distance', /\b(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?:[^;]*(?<![\w.-])-?(?!1px)[\d.]*[1-9]\d*(?:px|rem|em)\b/],
  ['a corner', /\bborder(?:-[a-z]+)*-radius:[^;]*\d(?:px|rem|em|%)/],
  ['letter spacing outside the scale', /\bletter-spacing:(?!\s*-0\.0[123]em)/],
]

const rawStyles: readonly [name: string, pattern: RegExp][] = [
  ['a colour', /\b(?:style|styles)=\{\{[^}]*#[0-9a-f]{3,8}\b/i],
  ['a size of letters', /\bfontSize:\s*'[\d.]/],
  ['a weight', /\bfontWeight:(?!\s*(?:400|500|600|700))\s*\d|\bfw=\{(?!400|500|600|700)\d/],
  ['a corner', /\bborderRadius:\s*['\d]?[\d.]/],
]

function found(files: readonly string[], rules: readonly [string, RegExp][]): string[] {
  return files.flatMap(file =>
    readFileSync(src + file, 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\//g, text => text.replaceAll(/[^\n]/g, ' '))
      .split('\n')
      .flatMap((line, index) =>
        rules.filter(([, pattern]) => pattern.test(line)).map(([name]) => `${file}:${index + 1} writes ${name}: ${line.trim()}`),
      ),
  )
}

describe('styles', () => {
  it('take every colour, size, weight, distance and corner from the tokens in CSS modules', () => {
    expect(found(globSync('**/*.module.css', { cwd: src }), rawValues)).toEqual([])
  })

  it('take colours, sizes and weights from the tokens in components', () => {
    expect(found(globSync('**/*.tsx', { cwd: src }), rawStyles)).toEqual([])
  })

  it('use only custom properties that exist', () => {
    const known = new Set([...Object.keys(lightColors), ...themeCss.matchAll(/^\s*(--[a-z0-9-]+):/gm).map(match => match[1] ?? '')])
    const unknown = globSync('**/*.{module.css,tsx}', { cwd: src }).flatMap(file => {
      const text = readFileSync(src + file, 'utf8')
      return text
        .matchAll(/var\((--[a-z0-9-]+)\)/g)
        .map(match => match[1] ?? '')
        .filter(name => !(name.startsWith('--mantine-') || known.has(name) || text.includes(`${name}:`) || local.has(name)))
        .map(name => `${file} uses ${name}`)
        .toArray()
    })
    expect(unknown).toEqual([])
  })

  it('widen figures only where numbers stand in columns', () => {
    expect(/\bbody \{[^}]*font-variant-numeric/.test(themeCss)).toBe(false)
  })
})

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const signal = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(themeCss)?.[1] ?? ''

describe.each([
  ['light', lightColors],
  ['dark', darkColors],
] as const)('the %s colours', (_, colors) => {
  const grounds = ['--page', '--surface', '--sunken', '--raised', '--hover'] as const

  it.each(['--ink', '--ink-dim', '--ink-faint'] as const)('let %s be read on every ground', ink => {
    for (const ground of grounds) expect(contrast(colors[ink], colors[ground]), ground).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['action', 'done', 'soon', 'stop'] as const)('let the word of %s be read on page, surface and its own soft ground', meaning => {
    for (const ground of ['--page', '--surface', `--${meaning}-soft`] as const)
      expect(contrast(colors[`--${meaning}`], colors[ground]), ground).toBeGreaterThanOrEqual(4.5)
    for (const ink of ['--ink', '--ink-dim'] as const)
      expect(contrast(colors[ink], colors[`--${meaning}-soft`]), ink).toBeGreaterThanOrEqual(4.5)
  })

  it('let the word of a filled button be read while it is hovered and pressed', () => {
    for (const fill of ['--action', '--action-hover', '--action-press'] as const)
      expect(contrast(colors['--on-action'], colors[fill]), fill).toBeGreaterThanOrEqual(4.5)
  })

  it('show the edge of a control, and the focus ring, on every ground', () => {
    for (const ground of grounds) {
      expect(contrast(colors['--edge-control'], colors[ground]), ground).toBeGreaterThanOrEqual(3)
      expect(contrast(colors['--action'], colors[ground]), ground).toBeGreaterThanOrEqual(3)
    }
  })
})

it('grow lighter with their height in the dark', () => {
  const heights = (['--sunken', '--page', '--surface', '--raised'] as const).map(name => luminance(darkColors[name]))
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
})

it('has the same names by day and by night', () => {
  expect(Object.keys(darkColors)).toEqual(Object.keys(lightColors))
})

it.each([
  ['signal-done', 'on-signal'],
  ['signal-stop', 'on-signal'],
  ['signal-ask', 'on-signal'],
  ['signal-soon', 'on-signal-soon'],
])('lets the words on the signal %s be read from afar', (fill, ink) => {
  expect(contrast(signal(fill), signal(ink))).toBeGreaterThanOrEqual(6.5)
})

it('lets the number of a wagon slot be read on its colour', () => {
  for (const [name, { ground, ink }] of Object.entries(slotLabel)) expect(contrast(ground, ink), name).toBeGreaterThanOrEqual(4.5)
})
