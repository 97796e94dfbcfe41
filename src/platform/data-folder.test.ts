/** Where the data lie: in a checkout beside the code, else never inside of it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolder, type Place } from './data-folder.ts'

let folder: string
let place: Place
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pakhus-place-'))
  mkdirSync(join(folder, 'code'))
  place = { code: join(folder, 'code'), shared: join(folder, 'shared'), user: 1000, home: join(folder, 'home') }
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is the folder "data" of the current one in a checkout, and whatever DATA_DIR names', () => {
  mkdirSync(join(place.code, '.git'))
  expect(dataFolder({}, place)).toBe(resolve('data'))
  expect(dataFolder({ DATA_DIR: join(place.code, 'other') }, place)).toBe(join(place.code, 'other'))
})

it('is the shared folder for root and for those who may write it, else one in the home of the user', () => {
  expect(dataFolder({}, place)).toBe(join(folder, 'home/.local/share/pakhus'))
  expect(dataFolder({ XDG_DATA_HOME: join(folder, 'xdg') }, place)).toBe(join(folder, 'xdg/pakhus'))
  expect(dataFolder({}, { ...place, user: 0 })).toBe(place.shared)
  mkdirSync(place.shared)
  expect(dataFolder({}, place)).toBe(place.shared)
})

it('is refused inside the folder of the program, by its name, through a link, and as the folder itself', () => {
  symlinkSync(place.code, join(folder, 'link'))
  for (const inside of [join(place.code, 'data'), join(folder, 'link/data'), place.code])
    expect(() => dataFolder({ DATA_DIR: inside }, place)).toThrow('lies in the folder of the program')
  expect(dataFolder({ DATA_DIR: join(folder, 'code-data') }, place)).toBe(join(folder, 'code-data'))
  expect(dataFolder({ DATA_DIR: join(folder, 'code/..data/../../elsewhere') }, place)).toBe(join(folder, 'elsewhere'))
})

it('is asked for where an earlier version left data beside the code', () => {
  mkdirSync(join(place.code, 'data/postgres'), { recursive: true })
  expect(() => dataFolder({}, place)).toThrow('Move it to')
  mkdirSync(join(folder, 'home/.local/share/pakhus/postgres'), { recursive: true })
  expect(dataFolder({}, place)).toBe(join(folder, 'home/.local/share/pakhus'))
})
