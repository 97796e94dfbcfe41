/**
 * Journey: the forms of settings get the same wrong input: nothing, signs that are none of its own, and
 * far too much. Each time Save says something, the first wrong field has the focus and says why, and what was typed still stands there.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoApp, openDemoApp, settled } from './demo-app.ts'
import { hasFocus, press } from './keyboard.ts'

let services: DemoApp
let remembers: Record<string, string>

beforeAll(async () => {
  services = await openDemoApp()
  remembers = (await services.signIn('admin')).remembers
})
afterAll(() => services?.close())

const asked = new WeakSet<Page>()
async function visit(path: string): Promise<Page> {
  const page = await services.visit(path, { remembers })
  page.setDefaultTimeout(8_000)
  // A form with changes asks before its page is left.
  if (!asked.has(page)) page.on('dialog', dialog => void dialog.accept().catch(() => undefined))
  asked.add(page)
  await settled(page)
  return page
}

interface Field {
  mark: string
  label: string
  isNumber: boolean
}

/** The fields in which one can write, of each form that can be seen; in a dialog only its own. */
const formsOf = (page: Page): Promise<Field[][]> =>
  page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(one => one.checkVisibility())
    const forms = [...(dialogs.at(-1) ?? document.querySelector('main') ?? document).querySelectorAll('form')]
    return forms
      .filter(form => form.checkVisibility())
      .map((form, at) => {
        form.dataset.form = String(at)
        return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
          .filter(
            field =>
              field.checkVisibility() &&
              !field.disabled &&
              !field.readOnly &&
              !field.hasAttribute('aria-haspopup') &&
              ['text', 'email', 'url', 'tel', 'password', 'textarea'].includes(field.type),
          )
          .map((field, place) => {
            field.dataset.field = `${at}-${place}`
            return {
              mark: `${at}-${place}`,
              label: (field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '').trim(),
              isNumber: field.inputMode === 'decimal' || field.inputMode === 'numeric',
            }
          })
      })
  })

const inputs = {
  nothing: () => '',
  'signs of all kinds': ({ isNumber }: Field) => (isNumber ? '-7' : '  <img src=x> =1+1 ; 😀'),
  'far too much': ({ isNumber }: Field) => (isNumber ? '99999999999999' : 'x'.repeat(10_000)),
}

/** Writes the input into each field of the form and presses its Save; the answer is what is wrong with what the form says to it. */
async function tried(page: Page, at: number, input: keyof typeof inputs): Promise<string[]> {
  const fields = (await formsOf(page))[at] ?? []
  const save = page.locator(`form[data-form="${at}"] button[type=submit]`).last()
  const written: Record<string, string> = {}
  for (const field of fields) {
    const box = page.locator(`[data-field="${field.mark}"]`)
    // A choice may take a field from the page.
    if (!(await box.isEditable().catch(() => false))) continue
    await box.fill(inputs[input](field))
    written[field.mark] = await box.inputValue()
  }
  if ((await save.count()) === 0 || (await save.isDisabled())) return []
  const answers: string[] = []
  const listen = (response: { url: () => string; status: () => number; request: () => { method: () => string } }) => {
    if (response.url().includes('/api/'))
      answers.push(`${response.request().method()} ${response.status()} ${new URL(response.url()).pathname}`)
  }
  page.on('response', listen)
  await save.click()
  // An error, a message, an answer of the server, or a question before it is sent.
  await page
    .waitForFunction(
      () => document.querySelector('form [aria-invalid=true], form [role=alert], [class*=Notification-root], [role=alertdialog]') !== null,
      undefined,
      { timeout: 1_500 },
    )
    .catch(() => undefined)
  await page.waitForTimeout(150)
  page.off('response', listen)
  const seen = await page.evaluate(at => {
    const form = document.querySelector(`form[data-form="${at}"]`)
    if (!form) return null
    const wrong = [...form.querySelectorAll<HTMLElement>('[aria-invalid=true]')].filter(one => one.checkVisibility())
    const said = [...form.querySelectorAll('[class*=InputWrapper-error]')].filter(one => one.checkVisibility() && one.textContent?.trim())
    return {
      wrong: wrong.length,
      said: said.length,
      isFirst: wrong[0] === document.activeElement || wrong[0]?.contains(document.activeElement) === true,
      alert: [...form.querySelectorAll('[role=alert]')].some(one => one.checkVisibility()),
      now: Object.fromEntries(
        [...form.querySelectorAll<HTMLInputElement>('[data-field]')].map(field => [field.dataset.field ?? '', field.value]),
      ),
    }
  }, at)
  const faults = answers.filter(answer => / (400|5\d\d) /.test(answer)).map(answer => `the server answers ${answer}`)
  // The form is gone: it was saved.
  if (seen) {
    if (seen.wrong === 0 && !seen.alert && answers.length === 0 && (await page.locator('[role=dialog]').count()) === 0)
      faults.push('Save says nothing')
    if (seen.wrong > 0 && seen.said === 0) faults.push('a field is wrong and does not say why')
    if (seen.wrong > 0 && !seen.isFirst) faults.push('the first wrong field does not have the focus')
    if (seen.wrong > 0)
      for (const [mark, text] of Object.entries(written)) {
        const field = fields.find(one => one.mark === mark)
        if (field && input === 'far too much' && text.length < 10_000 && !field.isNumber)
          faults.push(`“${field.label}” cuts what is pasted`)
        if (mark in seen.now && seen.now[mark]?.replaceAll(/[^\w]/g, '').slice(0, 40) !== text.replaceAll(/[^\w]/g, '').slice(0, 40))
          faults.push(`“${field?.label}” holds “${seen.now[mark]?.slice(0, 30)}” in place of “${text.slice(0, 30)}”`)
      }
  }
  return faults.map(fault => `${input}: ${fault}`)
}

/** Where a form is: the path of its screen, and the button that opens it. */
const forms: readonly (readonly [path: string, opener?: string])[] = [
  ['/settings/me'],
  ['/settings/company-config'],
  ['/settings/rma-config'],
  ['/settings/customs-config', 'Add number'],
  ['/settings/bulk-invoicing-config', 'Add country'],
  ['/settings/dashboard', 'Add deadline'],
  ['/settings/campaign-config', 'New campaign'],
  ['/settings/announcement-config', 'New announcement'],
  ['/settings/additional-products', 'Add product'],
  ['/settings/product-links', 'Add link'],
  ['/settings/tags', 'Add tag'],
  ['/settings/crates', 'Add box'],
  ['/settings/order-alerts', 'Add alert'],
  ['/settings/webhooks', 'Add webhook'],
  ['/salary/rules', 'Add rule'],
  ['/salary/rules', 'Settings'],
  ['/users?id=new'],
]

/** A new thing is made in a drawer. */
const formIn = (path: string, opener: string | undefined): string => (opener || path.endsWith('=new') ? '[role=dialog] form' : 'main form')

describe('a form under Settings', () => {
  it.each(forms.map(([path, opener]) => [`${path}${opener ? `, ${opener},` : ''}`, path, opener] as const))(
    '%s answers to wrong input at its fields, and keeps it',
    async (_, path, opener) => {
      const page = await visit(path)
      const open = async () => {
        if (opener) await page.locator('main').getByRole('button', { name: opener, exact: true }).first().click()
        await page.locator(formIn(path, opener)).first().waitFor()
        await settled(page)
      }
      await open()
      const faults: string[] = []
      for (const input of ['nothing', 'signs of all kinds', 'far too much'] as const) {
        // What was saved is closed.
        if ((await page.locator(formIn(path, opener)).count()) === 0) await open()
        faults.push(...(await tried(page, 0, input)))
      }
      expect(faults).toEqual([])
    },
  )
})

/** A field of each, and what may stand in it. */
const changes: readonly (readonly [path: string, label: string, one: string, other: string, third: string])[] = [
  ['/settings/company-config', 'City', 'Aarhus', 'Odense', 'Vejle'],
  ['/settings/dvr-config', 'Notice in English', 'Parcels are filmed.', 'We film the parcel.', 'A camera films.'],
  ['/settings/packing-config', 'Label error', '45', '50', '55'],
]

function formWith(page: Page, label: string) {
  const form = page.locator('main form', { has: page.getByLabel(label, { exact: true }) })
  return { form, field: form.getByLabel(label, { exact: true }).first(), save: form.getByRole('button', { name: 'Save', exact: true }) }
}

describe('a form of settings with a change', () => {
  it.each(changes)(
    '%s says that the server does not answer, keeps the change of %s, and saves it later',
    async (path, label, one, other) => {
      services.expectOutages()
      const page = await visit(path)
      const { form, field, save } = formWith(page, label)
      // What is said comes from a part of its own, which is here after the first save.
      await field.fill(other)
      await save.click()
      await save.waitFor({ state: 'hidden' })
      await field.fill(one)
      await page.context().setOffline(true)
      await save.click()
      await form.getByRole('alert').getByText('The server does not answer').waitFor()
      expect(await field.inputValue()).toContain(one)
      await page.context().setOffline(false)
      await save.click()
      await save.waitFor({ state: 'hidden' })
      await page.reload()
      await settled(page)
      expect(await field.inputValue()).toContain(one)
    },
  )

  it.each(changes)(
    '%s of which another tab saved %s meanwhile says so, keeps what is typed, and shows what is saved',
    async (path, label, _, other, third) => {
      const page = await visit(path)
      const second = await services.open({ company: services.demo }, path, { remembers })
      second.setDefaultTimeout(8_000)
      await settled(second)
      const [here, there] = [formWith(page, label), formWith(second, label)]
      await there.field.fill(other)
      await here.field.fill(third)
      await here.save.click()
      await here.save.waitFor({ state: 'hidden' })
      await there.save.click()
      const show = second.getByRole('button', { name: 'Show what is saved now' })
      await show.waitFor()
      expect(await there.field.inputValue()).toContain(other)
      await show.click()
      await expect.poll(() => there.field.inputValue()).toContain(third)
      await there.field.fill(other)
      await there.save.click()
      await there.save.waitFor({ state: 'hidden' })
    },
  )
})

describe('every form', () => {
  it('a number out of its bounds is not changed, and its field says what the bounds are', async () => {
    const page = await visit('/settings/company-config')
    const wait = page.getByLabel('Wait before release')
    await wait.fill('99999999')
    await wait.blur()
    await page.getByText('At most 86400').waitFor()
    expect(await wait.inputValue()).toBe('99999999')
  })

  it('a part of a number is neither dropped nor joined where only whole numbers are taken', async () => {
    const page = await visit('/settings/company-config')
    const wait = page.getByLabel('Wait before release')
    for (const typed of ['1.5', '1,5']) {
      await wait.fill('')
      await wait.pressSequentially(typed)
      await page.getByText('A whole number', { exact: true }).waitFor()
      expect((await wait.inputValue()).replace(',', '.')).toBe('1.5')
    }
    const sent: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().includes('/company/')) sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await hasFocus(wait)
    expect(sent).toEqual([])
    await wait.fill('15')
    await page.getByText('A whole number', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('what is wrong in a language that is not open opens that language', async () => {
    const page = await visit('/settings/company-config')
    const languages = page.getByRole('radiogroup', { name: 'Language' })
    await languages.getByText('Dansk').click()
    await page.getByLabel('Home page in this language').fill('no address')
    await languages.getByText('Deutsch').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Enter the address with https:// before it').waitFor()
    expect(await languages.getByRole('radio', { name: 'Dansk' }).isChecked()).toBe(true)
    await hasFocus(page.getByLabel('Home page in this language'))
  })

  it('what is wrong with one of several values is said at their field, until that value is gone', async () => {
    const page = await visit('/settings/shipping-config')
    await page.locator('main').getByRole('button', { name: 'Edit' }).first().click()
    const dialog = page.getByRole('dialog')
    const codes = dialog
      .getByRole('combobox', { name: 'Shop codes' })
      .or(dialog.getByRole('textbox', { name: 'Shop codes' }))
      .first()
    await codes.fill('x'.repeat(400))
    await press(page, 'Enter')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const error = dialog.getByText(/^At most \d+ characters$/)
    await error.waitFor()
    await hasFocus(codes)
    await press(page, 'Backspace')
    await error.waitFor({ state: 'hidden' })
  })

  it('Ctrl and Enter twice save once', async () => {
    const page = await visit('/settings/product-links')
    await page.getByRole('button', { name: 'Add link', exact: true }).click()
    const made: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/product_link/create')) made.push(request.url())
    })
    await page.getByRole('dialog').getByLabel('Name').fill('Manual')
    await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/manual')
    await page.evaluate(() => {
      for (const _ of [1, 2])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    })
    await page.getByText('Manual', { exact: true }).first().waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(made).toHaveLength(1)
  })

  it('Enter saves in schedule settings, days in the wrong order are said so, and what is refused stays', async () => {
    const page = await visit('/schedule/settings')
    await page.getByLabel('First day').fill('2027-05-10')
    await page.getByLabel('Last day').fill('2027-05-01')
    await page.getByText('The last day is before the first').waitFor()
    await page.getByLabel('Last day').fill('2027-05-12')
    await page.getByLabel('Reason').fill('Stocktaking')
    await press(page, 'Enter')
    await page.getByText(': Stocktaking').waitFor()
    await page.getByLabel('Region').fill('ZZ')
    await press(page, 'Enter')
    await page.getByText('There is no such region in this country').first().waitFor()
    expect(await page.getByLabel('Region').inputValue()).toBe('ZZ')
  })
})
