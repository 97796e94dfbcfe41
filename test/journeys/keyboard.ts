/** Keyboard input of a person: waits until the page handles keys. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses a key that means something by itself. It stands alone, as a person's does: what follows another at once is taken for a scanner's. */
export async function press(page: Page, key: string): Promise<void> {
  await sleep(100)
  await page.keyboard.press(key)
}

/** Waits until the keys go to this element. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate(one => one === document.activeElement)).toBe(true)
}
