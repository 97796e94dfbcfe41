/** Where the Chromium of this machine is; and on a Debian whose root we are, how it gets there. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The shell draws the same pages for a third of the processor time: it has no window of its own. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'google-chrome', 'chromium-browser', 'google-chrome-stable']
const beyondPath = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium']

/** The path of the browser's program: `$CHROMIUM`, or the first in the search path; undefined where there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM) return isProgram(CHROMIUM) ? CHROMIUM : undefined
  const folders = PATH.split(delimiter).filter(Boolean)
  return [...names.flatMap(name => folders.map(folder => join(folder, name))), ...beyondPath].find(isProgram)
}

/** Throws a sentence that says how to get one where it may not be installed. */
export function findOrInstallChromium(log: (line: string) => void): string {
  const found = findChromium()
  if (process.env.CHROMIUM) {
    if (found) return found
    throw new Error(`CHROMIUM names ${process.env.CHROMIUM}, which is not a program.`)
  }
  if (found?.endsWith(shell)) return found
  const debian = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (debian) {
    log('Installing a Chromium without windows with apt-get (once) …')
    install(shell) || found || install('chromium')
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Error(
    'The journeys need a Chromium or Chrome, and there is none. Install one (Debian: apt-get install chromium; macOS: brew install --cask google-chrome), or set CHROMIUM to the path of its program.',
  )
}

/** False where the distribution has no such package, or its server does not answer. */
function install(name: string): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...words: string[]) => spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'ignore' }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', name)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
