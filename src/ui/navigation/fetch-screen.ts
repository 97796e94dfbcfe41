/** Begins to fetch the code of the screen at a path; the screen waits for the same fetch. */

import { screenAt } from './navigation.ts'
import { allScreens } from './screen.ts'

export function fetchScreen(path: string): void {
  // What fails here fails again, and is reported, where the screen is shown.
  const screen = screenAt(path, allScreens())
  for (const part of [screen?.screen?.(), screen?.prefetch?.()]) part?.catch(() => undefined)
}
