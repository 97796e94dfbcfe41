/** The key of Google Maps: entered and removed. With it the order page shows an address on a map. */
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

export function GoogleMapsKey() {
  const t = useT()
  const stored = useCall(apiKeys.get, {})
  const [key, setKey] = useState('')
  const set = useSend(apiKeys.set, { refreshes: [apiKeys.get], done: () => setKey('') })
  const remove = async () => {
    const body = t('Orders link to a map instead of showing one.')
    if (await confirm({ title: t('Remove Google Maps key?'), body, action: t('Remove key'), danger: true }))
      set.mutate({ body: { google_maps: null } }, { onSuccess: () => void toastSuccess(t('Google Maps key removed')) })
  }
  return (
    <SettingsSection
      title={t('Google Maps')}
      help={t('Shows the address of an order on a map after a click. Limit the key to the Maps Embed API and to this address.')}
    >
      <QueryState of={stored} shape="form">
        {({ google_maps }) => (
          <form
            onSubmit={event => {
              event.preventDefault()
              if (key.trim() !== '')
                set.mutate({ body: { google_maps: key.trim() } }, { onSuccess: () => void toastSuccess(t('The Google Maps key is kept')) })
            }}
          >
            <Stack gap="sm">
              <SecretInput
                label={t('Google Maps API key')}
                last4={google_maps}
                value={key}
                onChange={setKey}
                remove={() => void remove()}
              />
              <Group>
                <Button
                  type="submit"
                  variant="default"
                  loading={set.isPending}
                  {...disabledBecause(key.trim() === '' && t('Enter the key first'))}
                >
                  {t('Keep key')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </QueryState>
    </SettingsSection>
  )
}
