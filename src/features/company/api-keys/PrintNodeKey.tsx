/** The key of the PrintNode account: entered, tested, removed. */
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { apiKeys } from './api-keys.contract.ts'

/** `changed` is called after the key was kept or removed. */
export function PrintNodeKey({ changed }: { changed?: () => void }) {
  const t = useT()
  const stored = useCall(apiKeys.get, {})
  const [key, setKey] = useState('')
  const set = useSend(apiKeys.set, {
    refreshes: [apiKeys.get],
    done: () => {
      setKey('')
      changed?.()
    },
  })
  const test = useSend(apiKeys.test, {
    done: account =>
      void toastSuccess(
        t('The key belongs to {{name}} ({{email}}), with {{count}} computers', {
          name: account.name,
          email: account.email,
          count: account.computers,
        }),
      ),
  })
  const remove = async () => {
    const body = t('Labels are no longer printed through PrintNode.')
    if (await confirm({ title: t('Remove PrintNode key?'), body, action: t('Remove key'), danger: true }))
      set.mutate({ body: { printnode: null } }, { onSuccess: () => void toastSuccess(t('PrintNode key removed')) })
  }
  return (
    <SettingsSection
      title={t('PrintNode')}
      help={t('Prints on the printers of every computer on which PrintNode’s client runs. The key is made in PrintNode’s account.')}
    >
      <QueryState of={stored} shape="form">
        {({ printnode }) => (
          <form
            onSubmit={event => {
              event.preventDefault()
              if (key.trim() !== '')
                set.mutate({ body: { printnode: key.trim() } }, { onSuccess: () => void toastSuccess(t('The PrintNode key is kept')) })
            }}
          >
            <Stack gap="sm">
              <SecretInput label={t('API key')} last4={printnode} value={key} onChange={setKey} remove={() => void remove()} />
              <Group>
                <Button
                  type="submit"
                  variant="default"
                  loading={set.isPending}
                  {...disabledBecause(key.trim() === '' && t('Enter the key first'))}
                >
                  {t('Keep key')}
                </Button>
                <Button
                  variant="default"
                  loading={test.isPending}
                  {...disabledBecause(key.trim() === '' && printnode === null && t('Enter the key first'))}
                  onClick={() => test.mutate({ body: { printnode: key.trim() || null } })}
                >
                  {t('Test key')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </QueryState>
    </SettingsSection>
  )
}
