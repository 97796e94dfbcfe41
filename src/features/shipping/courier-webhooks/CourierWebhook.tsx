/** The webhook of a courier in its settings: where it sends its events, the secret, and when the last one came. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { confirm } from '#ui/kit/Confirm.tsx'
import { addressOf, Copied } from '#ui/kit/CopyButton.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useCommand } from '#ui/query/calls.ts'
import { courierWebhooks } from './courier-webhooks.contract.ts'

export function CourierWebhook({ agent_code, name }: { agent_code: string; name: string }) {
  const t = useT()
  const known = useCall(courierWebhooks.get, { agent_code }, { live: ['courier_settings'] })
  const renew = useCommand(() => send(courierWebhooks.renew, { agent_code }), { refreshes: [courierWebhooks.get] })
  const remove = useCommand(() => send(courierWebhooks.remove, { agent_code }), {
    refreshes: [courierWebhooks.get],
    said: () => t('Events of {{courier}} are not received any more', { courier: name }),
  })
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('Webhook')}
      </Title>
      <QueryState of={known} shape="rows">
        {webhook => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('{{courier}} sends the events of parcels here by itself. It is then asked only once a day.', { courier: name })}
            </Text>
            {webhook.last4 === null ? null : <Address webhook={webhook} />}
            {renew.data && webhook.last4 !== null ? <NewSecret secret={renew.data.secret} /> : null}
            <Group gap="xs">
              <Button variant="default" size="compact-sm" loading={renew.isPending} onClick={() => renew.mutate(undefined)}>
                {webhook.last4 === null ? t('Set up webhook') : t('New secret')}
              </Button>
              {webhook.last4 === null ? null : (
                <Button
                  variant="subtle"
                  color="brick"
                  size="compact-sm"
                  loading={remove.isPending}
                  onClick={async () => {
                    const sure = await confirm({
                      title: t('Remove the webhook of {{courier}}?', { courier: name }),
                      body: t('Its events are refused from now on, and it is asked as often as before.'),
                      action: t('Remove webhook'),
                      danger: true,
                    })
                    if (sure) remove.mutate(undefined)
                  }}
                >
                  {t('Remove webhook')}
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryState>
    </section>
  )
}

function Address({ webhook: { path, secret_header, last4, received_at, refused_at } }: { webhook: Received<typeof courierWebhooks.get> }) {
  const t = useT()
  return (
    <Stack gap="xs">
      <Copied text={addressOf(path)} label={t('Copy address')} />
      <Text size="sm">
        {secret_header === null
          ? t('The courier signs with the secret that ends in {{last4}}.', { last4: last4 ?? '' })
          : t('The courier sends the secret that ends in {{last4}} in the header {{header}}.', {
              last4: last4 ?? '',
              header: secret_header,
            })}
      </Text>
      <Text size="sm" c="dimmed">
        {received_at === null ? t('Nothing received yet') : t('Last received {{time}}', { time: instant(received_at) })}
        {refused_at === null ? '' : ` · ${t('Last refused {{time}}', { time: instant(refused_at) })}`}
      </Text>
    </Stack>
  )
}

function NewSecret({ secret }: { secret: string }) {
  const t = useT()
  return (
    <Alert color="amber" title={t('Copy the secret now: it is not shown again')}>
      <Copied text={secret} label={t('Copy secret')} />
      <Text size="sm" mt="xs">
        {t('The secret before is taken for 24 hours more.')}
      </Text>
    </Alert>
  )
}
