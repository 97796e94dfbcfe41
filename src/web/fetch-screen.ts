/** Begins to fetch the code of the screen at a path; whoever shows it waits for the same fetch. */
import { screens } from '#web/screens.ts'
import { screenAt } from '#web/shell/navigation.rules.ts'

export function fetchScreen(path: string): void {
  // What fails here fails again, and is told, where the screen is shown.
  void screenAt(path, screens)
    ?.screen?.()
    .catch(() => undefined)
}
