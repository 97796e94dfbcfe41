/** Writes the list of all fields of the settings, read from their screens, for the search of settings. */
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { screenWords } from '../src/app/screen-words.ts'
import { screens } from '../src/app/screens.ts'
import { entryField, settingsByPage } from '../src/features/company/companies/setting-fields.rules.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))

interface IndexedField {
  label: string
  /** Sentences beside the field. */
  help: string[]
}
export interface IndexedPage {
  path: string
  title: string
  words: string
  fields: IndexedField[]
}

const isSettings = (path: string) => (path.startsWith('/settings/') && path.split('/').length === 3) || path === '/schedule/settings'

/** Labels of fields and titles of sections; help and descriptions belong to the label before them. */
const wording = /\b(label|aria-label|title|help|description)=\{(?:[\w.]+ \? )?t\(\s*'((?:[^'\\]|\\.)*)'/g

/** Other titles are those of empty lists and dialogs. */
const isSection = (text: string, at: number): boolean => /^<SettingsSection\b/.test(text.slice(text.lastIndexOf('<', at), at))

function importsOf(file: string, text: string): string[] {
  const own = [...text.matchAll(/from '(\.\.?\/[^']+\.tsx|#features\/[^']+\.tsx)'/g)].map(match => match[1] ?? '')
  return own.map(name => (name.startsWith('#') ? resolve(source, name.slice(1)) : resolve(dirname(file), name)))
}

/** The files of a screen: its own feature's, and what the screen itself takes from others. */
function filesOf(screen: string): string[] {
  const files = [screen]
  for (const file of files)
    for (const other of importsOf(file, readFileSync(file, 'utf8')))
      if (existsSync(other) && !files.includes(other) && (file === screen || dirname(other) === dirname(file))) files.push(other)
  return files
}

const routes = readFileSync(resolve(source, 'app/screens.ts'), 'utf8')

/** The file that the entry of a path loads. */
function screenFile(path: string): string {
  const entry = new RegExp(`(?:settingsPage\\(\\s*'${path.replace('/settings/', '')}'|path: '${path}',)`).exec(routes)
  const file = /import\('#([^']+)'\)/.exec(routes.slice(entry?.index ?? routes.length))?.[1]
  if (file === undefined) throw new Error(`There is no screen at ${path}`)
  return file
}

export function settingsIndex(): IndexedPage[] {
  return screens
    .filter(screen => isSettings(screen.path) && screen.screen)
    .map(({ path, title }) => {
      const file = screenFile(path)
      const fields: IndexedField[] = []
      for (const one of filesOf(resolve(source, file))) {
        const text = readFileSync(one, 'utf8')
        for (const match of text.matchAll(wording)) {
          const [, kind, written = ''] = match
          const sentence = written.replaceAll("\\'", "'")
          if (sentence.includes('{{') || (kind === 'title' && !isSection(text, match.index))) continue
          if (kind === 'help' || kind === 'description') fields.at(-1)?.help.push(sentence)
          else if (!fields.some(field => field.label === sentence)) fields.push({ label: sentence, help: [] })
        }
      }
      // A whole entry of a list is no field.
      for (const page of settingsByPage.filter(one => one.path === path))
        for (const [name, label] of Object.entries(page.fields))
          if (!name.endsWith(`.${entryField}`) && !fields.some(field => field.label === label)) fields.push({ label, help: [] })
      return { path, title, words: screenWords[path] ?? '', fields: fields.filter(field => field.label !== title) }
    })
}

const settingsIndexFile = new URL('../src/features/desk/settings-search/settings-index.codes.ts', import.meta.url)

const settingsIndexText = (): string =>
  [
    '/** The fields of all settings pages, written by `node scripts/settings-index.ts` from their screens. */',
    '',
    'export interface IndexedPage {',
    '  path: string',
    '  title: string',
    '  words: string',
    '  fields: readonly { label: string; help: readonly string[] }[]',
    '}',
    '',
    `export const settingsIndex: readonly IndexedPage[] = ${JSON.stringify(settingsIndex(), null, 2)}`,
    '',
  ].join('\n')

if (import.meta.main) await writeFile(settingsIndexFile, settingsIndexText())
