/** The look: paper and ink, one action colour, and three colours that mean done, waiting and stop. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import type { MouseEvent } from 'react'
import { device } from '#ui/device/device-storage.ts'
import { number } from './format.ts'
import { darkColors, lightColors } from './theme-colors.ts'
import { t } from './translate.ts'

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
  const meaning = meanings[input.color ?? input.theme.primaryColor]
  if (input.variant === 'filled')
    return {
      ...colors,
      color: 'var(--on-fill)',
      ...(meaning === 'action' && { background: 'var(--action)', hover: 'var(--action-hover)' }),
    }
  if (meaning === undefined) return colors
  if (input.variant === 'subtle') return { ...colors, color: `var(--${meaning})`, hover: `var(--${meaning}-soft)` }
  if (input.variant === 'light')
    return { ...colors, color: `var(--${meaning})`, background: `var(--${meaning}-soft)`, hover: `var(--${meaning}-soft)` }
  return colors
}

/** Enter takes the first option that fits what is typed. */
const search = () => ({ selectFirstOptionOnChange: true, nothingFoundMessage: t('No results') })

/** What is typed after a click replaces the chosen option; without this it is written behind its name, which finds nothing. */
const selectText = ({ currentTarget }: MouseEvent<HTMLInputElement>): void => {
  if (!currentTarget.readOnly) currentTarget.select()
}

export const theme = createTheme({
  colors: { harbour, moss, amber, brick, gray, dark },
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  variantColorResolver: variantColors,
  luminanceThreshold: 0.32,
  black: '#1b2228',
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  // The smallest, the largest and white are those of the kit.
  fontSizes: { sm: '0.8125rem', md: '0.875rem', lg: '1rem' },
  lineHeights: { xs: '1.3334', sm: '1.3847', md: '1.4286', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '4px', md: '6px', lg: '12px', xl: '12px' },
  shadows: { xs: 'var(--float-1)', sm: 'var(--float-1)', md: 'var(--float-1)', lg: 'var(--float-2)', xl: 'var(--float-2)' },
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Alert: { defaultProps: { variant: 'outline' } },
    Badge: { defaultProps: { variant: 'outline', tt: 'none', fw: 500 } },
    Button: { defaultProps: { fw: 500 } },
    Checkbox: { defaultProps: { size: 'md', iconColor: 'var(--on-fill)' } },
    // Named, so that its letters follow the brightness of what fills it.
    Chip: { defaultProps: { variant: 'filled' } },
    Drawer: { defaultProps: { transitionProps: { duration: 0 } } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'sm' } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 0 } } },
    // Both signs are taken when typed; shown is that of the language.
    NumberInput: { defaultProps: () => ({ decimalSeparator: number(0.5, 1).charAt(1) }) },
    Paper: { defaultProps: { withBorder: true } },
    Popover: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'sm' } },
    Radio: { defaultProps: { size: 'md', iconColor: 'var(--on-fill)' } },
    // Read at each draw, since the language may change.
    MultiSelect: { defaultProps: () => search() },
    // A click on what is chosen keeps it; what may be empty is `clearable`.
    Select: {
      defaultProps: () => ({
        ...search(),
        comboboxProps: { transitionProps: { duration: 0 }, shadow: 'sm' },
        checkIconPosition: 'right',
        allowDeselect: false,
        onClick: selectText,
      }),
    },
    // Other controls keep their frame when they cannot be used; this one is all area.
    Switch: { defaultProps: { size: 'md' }, styles: { root: { '--switch-disabled-color': 'var(--edge-strong)' } } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 }, color: 'dark.7' } },
  },
})

/** What Mantine calls the same colours. */
const mantineColors = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-dim)',
  '--mantine-color-placeholder': 'var(--ink-faint)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--edge-control)',
  '--mantine-color-disabled': 'transparent',
  '--mantine-color-disabled-color': 'var(--ink-faint)',
  '--mantine-color-disabled-border': 'var(--edge-control)',
  '--mantine-color-error': 'var(--stop)',
  '--mantine-color-anchor': 'var(--action)',
  '--mantine-primary-color-filled': 'var(--action)',
  '--mantine-primary-color-filled-hover': 'var(--action-hover)',
  '--on-fill': 'var(--on-action)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...mantineColors, ...lightColors },
  dark: { ...mantineColors, ...darkColors },
})

/** Light, dark or auto lives in the device's storage with everything else. */
export const colorScheme: MantineColorSchemeManager = {
  get: fallback => device.read('theme') ?? fallback,
  set: value => device.write('theme', value),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => device.forget('theme'),
}
