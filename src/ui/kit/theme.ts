/** The look: paper and ink, one action colour, and three colours that mean done, waiting and stop. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { device } from '#ui/device/device-storage.ts'

const harbour: MantineColorsTuple = [
  '#eaf3f7',
  '#d5e7ef',
  '#abcfdf',
  '#82b7ce',
  '#5fa2bf',
  '#438fb1',
  '#2f7c9f',
  '#206a8c',
  '#14597a',
  '#0b445f',
]
const moss: MantineColorsTuple = [
  '#eff6eb',
  '#deebd7',
  '#bdd8b0',
  '#9ac386',
  '#7db064',
  '#69a34e',
  '#588f3f',
  '#487a32',
  '#3a6727',
  '#294f19',
]
const amber: MantineColorsTuple = [
  '#fff5e0',
  '#fcebc9',
  '#f8d795',
  '#f3c15d',
  '#eeae31',
  '#df9a1b',
  '#c28212',
  '#a26b0a',
  '#825500',
  '#634000',
]
const brick: MantineColorsTuple = [
  '#fdf0ed',
  '#f8ddd7',
  '#f0b9af',
  '#e79384',
  '#df725f',
  '#d65c48',
  '#c84c38',
  '#b43e2c',
  '#9b3121',
  '#7a2217',
]
/** Warm greys from paper to ink. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f3f0ea',
  '#e7e3da',
  '#d8d3c8',
  '#bfb9ae',
  '#9b968d',
  '#716e69',
  '#55565a',
  '#383c42',
  '#1b2228',
]
/** From moonlight to the night over the harbour. */
const dark: MantineColorsTuple = [
  '#e8e6e0',
  '#c6c9c9',
  '#a6aeb3',
  '#7d878e',
  '#4f5a62',
  '#3b454d',
  '#2b333a',
  '#1d2329',
  '#14191d',
  '#0e1215',
]

const meanings: Readonly<Record<string, string>> = { harbour: 'action', moss: 'done', amber: 'soon', brick: 'stop' }

/** The kit reckons the colours of letters for light only; here they follow the brightness and keep their meaning. */
const variantColors: VariantColorsResolver = input => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant === 'filled') return { ...colors, color: 'var(--on-fill)' }
  const meaning = meanings[input.color ?? input.theme.primaryColor]
  if (meaning === undefined) return colors
  if (input.variant === 'subtle') return { ...colors, color: `var(--${meaning})`, hover: `var(--${meaning}-soft)` }
  if (input.variant === 'light')
    return { ...colors, color: `var(--${meaning})`, background: `var(--${meaning}-soft)`, hover: `var(--${meaning}-soft)` }
  return colors
}

export const theme = createTheme({
  colors: { harbour, moss, amber, brick, gray, dark },
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  variantColorResolver: variantColors,
  luminanceThreshold: 0.32,
  black: '#1b2228',
  white: '#ffffff',
  fontFamily: "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  defaultRadius: 'md',
  radius: { xs: '6px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.3' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.35' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Alert: { defaultProps: { variant: 'outline' } },
    Badge: { defaultProps: { variant: 'outline', tt: 'none', fw: 500 } },
    Button: { defaultProps: { fw: 550 } },
    Checkbox: { defaultProps: { size: 'md', iconColor: 'var(--on-fill)' } },
    // Named, so that its letters follow the brightness of what fills it.
    Chip: { defaultProps: { variant: 'filled' } },
    Drawer: { defaultProps: { transitionProps: { duration: 0 } } },
    Loader: { defaultProps: { type: 'oval' } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'sm', withinPortal: true } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 0 }, overlayProps: { backgroundOpacity: 0.4 } } },
    Paper: { defaultProps: { withBorder: true, shadow: undefined } },
    Popover: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'sm' } },
    Radio: { defaultProps: { size: 'md', iconColor: 'var(--on-fill)' } },
    Select: { defaultProps: { comboboxProps: { transitionProps: { duration: 0 }, shadow: 'sm' }, checkIconPosition: 'right' } },
    Switch: { defaultProps: { size: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 }, color: 'dark.7' } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf8f4',
    '--mantine-color-text': '#1b2228',
    '--mantine-color-dimmed': '#5b6269',
    '--mantine-color-placeholder': '#6b7077',
    '--mantine-color-default': '#ffffff',
    '--mantine-color-default-hover': '#f3f0ea',
    '--mantine-color-default-border': '#d8d3c8',
    '--mantine-color-error': 'var(--mantine-color-brick-8)',
    '--mantine-color-anchor': 'var(--mantine-color-harbour-8)',
    '--on-fill': '#ffffff',
    '--surface': '#ffffff',
    '--surface-2': '#f3f0ea',
    '--edge': '#e3ded4',
    '--edge-strong': '#c9c3b7',
    '--ink': '#1b2228',
    '--ink-dim': '#5b6269',
    '--action': 'var(--mantine-color-harbour-8)',
    '--action-soft': '#e4eff4',
    '--done': 'var(--mantine-color-moss-8)',
    '--done-soft': '#e9f2e4',
    '--soon': 'var(--mantine-color-amber-8)',
    '--soon-soft': '#fbefd5',
    '--stop': 'var(--mantine-color-brick-8)',
    '--stop-soft': '#fbe7e3',
  },
  dark: {
    '--mantine-color-body': '#14191d',
    '--mantine-color-text': '#e8e6e0',
    '--mantine-color-dimmed': '#a6aeb3',
    '--mantine-color-placeholder': '#8d969c',
    '--mantine-color-default': '#1d2329',
    '--mantine-color-default-hover': '#262d34',
    '--mantine-color-default-border': '#3b454d',
    '--mantine-color-error': 'var(--mantine-color-brick-3)',
    '--mantine-color-anchor': 'var(--mantine-color-harbour-3)',
    '--on-fill': '#0e1215',
    '--surface': '#1a2025',
    '--surface-2': '#222930',
    '--edge': '#2d353c',
    '--edge-strong': '#47525a',
    '--ink': '#e8e6e0',
    '--ink-dim': '#a6aeb3',
    '--action': 'var(--mantine-color-harbour-3)',
    '--action-soft': '#1d3440',
    '--done': 'var(--mantine-color-moss-3)',
    '--done-soft': '#22311d',
    '--soon': 'var(--mantine-color-amber-3)',
    '--soon-soft': '#352a14',
    '--stop': 'var(--mantine-color-brick-3)',
    '--stop-soft': '#3a211d',
  },
})

/** Light, dark or auto lives in the device's storage with everything else. */
export const colorScheme: MantineColorSchemeManager = {
  get: fallback => device.read('theme') ?? fallback,
  set: value => device.write('theme', value),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => device.forget('theme'),
}
