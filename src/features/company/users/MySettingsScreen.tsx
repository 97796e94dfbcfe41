/** My settings: the theme of this device, language, password and sessions. */
import { Button, Group, NativeSelect, PasswordInput, Stack } from '@mantine/core'
import * as z from 'zod'
import { mySettings, startPageKey } from '#contract/my-settings.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { isLocale, localeNames, useT } from '#ui/kit/translate.ts'
import { useRail } from '#ui/navigation/menu.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { changeUser, useSignedIn } from '#ui/query/session.ts'
import { LookChoice } from '#ui/shell/UserMenu.tsx'
import { MyFactors } from './MyFactors.tsx'
import { shortestPassword } from './passwords.rules.ts'
import { SessionRow } from './UserSessions.tsx'
import { users } from './users.contract.ts'

export function MySettingsScreen() {
  const t = useT()
  const { user, init } = useSignedIn()
  const offered = init.settings.languages
  const settings = useCall(mySettings.get, {})
  const saveLocale = useSend(mySettings.set, {
    refreshes: [mySettings.get],
    said: t('Your language is saved'),
    done: ({ locale }) => changeUser({ locale }),
  })
  return (
    <Page title={t('My settings')} note={user.name} narrow>
      <SettingsSection title={t('This device')} help={t('How the page looks and reacts here.')}>
        <Stack gap="sm" maw={320}>
          <LookChoice />
        </Stack>
      </SettingsSection>
      <SettingsSection title={t('My language')} help={t('Where you sign in on a device that has not chosen another.')}>
        <QueryState of={settings} shape="form">
          {({ locale }) => (
            <NativeSelect
              label={t('My language')}
              maw={320}
              value={locale ?? ''}
              disabled={saveLocale.isPending}
              onChange={event =>
                saveLocale.mutate({ body: { locale: isLocale(event.currentTarget.value) ? event.currentTarget.value : null } })
              }
              data={[{ value: '', label: t('The company’s language') }, ...offered.map(one => ({ value: one, label: localeNames[one] }))]}
            />
          )}
        </QueryState>
      </SettingsSection>
      <SettingsSection title={t('Start page')} help={t('Where you begin after signing in.')}>
        <StartPage />
      </SettingsSection>
      {user.device ? null : (
        <>
          <SettingsSection title={t('Password')} help={t('Changing it signs you out on every other device.')}>
            <PasswordForm />
          </SettingsSection>
          <MyFactors />
          <Slot name="account" />
          <SettingsSection title={t('Signed in')} help={t('Sign out where you do not sit any more.')}>
            <MySessions />
          </SettingsSection>
        </>
      )}
    </Page>
  )
}

function StartPage() {
  const t = useT()
  const { start_page } = useSignedIn().user
  const pages = useRail().flatMap(group => group.pages)
  const save = useSend(mySettings.set, { refreshes: [mySettings.get], said: t('Your start page is saved') })
  const choose = (path: string | null) =>
    save.mutate({ body: { settings: { [startPageKey]: path } } }, { onSuccess: () => changeUser({ start_page: path }) })
  return (
    <NativeSelect
      label={t('Start page')}
      maw={320}
      value={pages.some(page => page.to === start_page) ? (start_page ?? '') : ''}
      disabled={save.isPending}
      onChange={event => choose(event.currentTarget.value || null)}
      data={[{ value: '', label: t('The page of your role') }, ...pages.map(page => ({ value: page.to, label: t(page.title) }))]}
    />
  )
}

const Passwords = z
  .object({
    current: z.string().min(1, 'Fill this in').max(1024),
    password: z
      .string()
      .min(shortestPassword, 'A password has at least 15 characters. A few words in a row are easy to remember.')
      .max(200),
    again: z.string(),
  })
  .refine(values => values.password === values.again, { path: ['again'], message: 'The two are not the same' })

function PasswordForm() {
  const t = useT()
  const edit = useEdit({
    schema: Passwords,
    initial: { current: '', password: '', again: '' },
    save: ({ current, password }) => send(users.setMyPassword, { body: { current, password } }),
    refreshes: [users.mySessions],
    said: t('Your password is changed'),
    done: () => {
      edit.form.setInitialValues({ current: '', password: '', again: '' })
      edit.form.reset()
    },
  })
  const eye = { visibilityToggleButtonProps: { 'aria-label': t('Show password') } }
  return (
    <Form edit={edit} action={t('Change password')} unguarded>
      <PasswordInput label={t('Present password')} autoComplete="current-password" {...eye} {...edit.of('current')} />
      <PasswordInput
        label={t('New password')}
        description={t('At least 15 characters. A few words in a row are easy to remember.')}
        autoComplete="new-password"
        {...eye}
        {...edit.of('password')}
      />
      <PasswordInput label={t('New password once more')} autoComplete="new-password" {...eye} {...edit.of('again')} />
    </Form>
  )
}

function MySessions() {
  const t = useT()
  const sessions = useCall(users.mySessions, {})
  const end = useSend(users.endMySession, { refreshes: [users.mySessions], said: t('Signed out there') })
  const others = useSend(users.endMyOtherSessions, {
    refreshes: [users.mySessions],
    done: ({ ended }) => void toastSuccess(t('Signed out in {{count}} places', { count: ended })),
  })
  return (
    <QueryState of={sessions} shape="rows">
      {rows => (
        <Stack gap="sm">
          {rows.map(row => (
            <SessionRow
              key={row.id}
              session={row}
              beside={
                <Button size="compact-sm" variant="default" onClick={() => end.mutate({ id: row.id })}>
                  {t('Sign out')}
                </Button>
              }
            />
          ))}
          {rows.length > 1 ? (
            <Group>
              <Button variant="default" loading={others.isPending} onClick={() => others.mutate({})}>
                {t('Sign out other devices')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      )}
    </QueryState>
  )
}
