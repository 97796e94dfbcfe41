import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const styles = fileURLToPath(new URL('../node_modules/@mantine/core/styles/', import.meta.url))
const imported = readFileSync(new URL('../src/ui/mantine.css', import.meta.url), 'utf8')

/** Components whose styles carry another name, or that stand on others. */
const standsOn: Record<string, readonly string[]> = {
  Select: ['Combobox', 'Input', 'Pill'],
  MultiSelect: ['Combobox', 'Input', 'Pill', 'PillsInput'],
  Autocomplete: ['Combobox', 'Input'],
  TagsInput: ['Combobox', 'Input', 'Pill', 'PillsInput'],
  FileInput: ['Input'],
  Textarea: ['Input'],
  TextInput: ['Input'],
  NativeSelect: ['Input'],
  Radio: ['Radio', 'RadioIndicator', 'InlineInput'],
  Checkbox: ['Checkbox', 'CheckboxIndicator', 'InlineInput'],
  Switch: ['Switch', 'InlineInput'],
  Modal: ['Modal', 'ModalBase', 'Overlay', 'CloseButton', 'Paper'],
  Drawer: ['Drawer', 'ModalBase', 'Overlay', 'CloseButton', 'Paper'],
}

it('imports the styles of every Mantine component that is used', () => {
  const used = new Set<string>()
  for (const file of globSync('**/*.tsx', { cwd: src })) {
    for (const [, names = ''] of readFileSync(src + file, 'utf8').matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)) {
      for (const part of names.split(',')) {
        const name = part.trim().split(' ')[0] ?? ''
        for (const one of standsOn[name] ?? [name]) used.add(one)
      }
    }
  }
  const missing = [...used].filter(name => existsSync(`${styles}${name}.css`) && !imported.includes(`/${name}.layer.css`))
  expect(missing.toSorted()).toEqual([])
})
