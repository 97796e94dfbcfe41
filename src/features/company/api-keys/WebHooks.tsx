/** Web hooks of shops: delivery address, secret, and replaced secrets that still sign. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { text } from '#contract/fields.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { addressOf, Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant, relative } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { keptHours, keptWords } from './cms-keys.codes.ts'
import { cmsKeys } from './cms-keys.contract.ts'
import { type HookSource, ShopCode, type WebHook } from './cms-keys.schemas.ts'

const sourceNames: Record<HookSource, string> = { woocommerce: 'WooCommerce', shopify: 'Shopify' }

export function Hooks() {
  const t = useT()
  const hooks = useCall(cmsKeys.hooks, {}, { live: ['order'] })
  const [editing, setEditing] = useState<{ source: HookSource; shop: string } | 'new' | null>(null)
  const remove = useSend(cmsKeys.removeHook, { refreshes: [cmsKeys.hooks], said: t('The webhook is removed: its deliveries are refused') })
  const askToRemove = async ({ source, shop }: WebHook) => {
    const body = t('Deliveries of {{source}} for the shop {{shop}} are refused from now on.', { source: sourceNames[source], shop })
    if (await confirm({ title: t('Remove this webhook?'), body, action: t('Remove webhook'), danger: true }))
      remove.mutate({ source, shop })
  }
  return (
    <SettingsSection
      title={t('Webhooks of shops')}
      help={t('WooCommerce and Shopify deliver each order automatically. Give them the address, and both sides the same secret.')}
    >
      <QueryState of={hooks} shape="rows">
        {({ rows }) => (
          <Stack gap="md">
            {rows.length === 0 ? <Text c="dimmed">{t('No shop delivers orders yet.')}</Text> : null}
            {rows.map(hook => (
              <Stack key={hook.path} gap={8} style={{ borderBottom: '1px solid var(--edge)', paddingBottom: 12 }}>
                <Group justify="space-between">
                  <Text fw={500}>
                    {sourceNames[hook.source]} · {hook.shop}
                  </Text>
                  <HookState hook={hook} />
                </Group>
                <Copied text={addressOf(hook.path)} label={t('Copy address')} />
                <Group gap="xs">
                  <Text size="sm" c="dimmed">
                    {t('Secret ends with {{last4}}', { last4: hook.last4 || '…' })}
                  </Text>
                  <Button size="compact-sm" variant="default" onClick={() => setEditing(hook)}>
                    {t('Replace secret')}
                  </Button>
                  <Button size="compact-sm" variant="subtle" color="brick" onClick={() => void askToRemove(hook)}>
                    {t('Remove')}
                  </Button>
                </Group>
                {hook.retired.map(old => (
                  <Retired key={old.retired_id} hook={hook} old={old} />
                ))}
              </Stack>
            ))}
          </Stack>
        )}
      </QueryState>
      <Group>
        <Button variant="default" onClick={() => setEditing('new')}>
          {t('Add a webhook')}
        </Button>
      </Group>
      <Dialog
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' ? t('Add a webhook') : t('Replace secret')}
      >
        {editing ? <HookForm hook={editing === 'new' ? null : editing} close={() => setEditing(null)} /> : null}
      </Dialog>
    </SettingsSection>
  )
}

function Retired({ hook: { source, shop }, old }: { hook: WebHook; old: WebHook['retired'][number] }) {
  const t = useT()
  const end = useSend(cmsKeys.removeRetired, { refreshes: [cmsKeys.hooks], said: t('The old secret has ended') })
  const ask = async () => {
    const body = old.last_used_at
      ? t('The shop still signs with it. Its deliveries are refused from now on, until it uses the new one.')
      : t('Deliveries signed with it are refused from now on.')
    if (await confirm({ title: t('End the old secret now?'), body, action: t('End now'), danger: true }))
      end.mutate({ source, shop, id: old.retired_id })
  }
  return (
    <Group gap="xs" pl="md">
      <Text size="sm">
        {t('The old secret, ending with {{last4}}, still signs until {{until}}', {
          last4: old.last4 || '…',
          until: instant(old.valid_until),
        })}
      </Text>
      <StateBadge tone={old.last_used_at ? 'soon' : 'quiet'}>
        {old.last_used_at ? t('Last used {{age}}', { age: relative(old.last_used_at) }) : t('Not used since')}
      </StateBadge>
      <Button size="compact-sm" variant="subtle" color="brick" loading={end.isPending} onClick={() => void ask()}>
        {t('End now')}
      </Button>
    </Group>
  )
}

function HookState({ hook }: { hook: WebHook }) {
  const t = useT()
  if (!hook.last_delivery_at) return <StateBadge tone="quiet">{t('None yet')}</StateBadge>
  const refused = hook.last_outcome?.startsWith('refused') ?? false
  return (
    <Group gap="xs">
      <StateBadge tone={refused ? 'stop' : 'done'}>{refused ? t('Last rejected') : t('Delivers')}</StateBadge>
      <RelativeTime at={hook.last_delivery_at} as="age" />
      {refused ? (
        <Text size="xs" c="dimmed">
          {hook.last_outcome?.replace('refused: ', '')}
        </Text>
      ) : null}
    </Group>
  )
}

const HookBody = z.object({
  source: z.enum(['woocommerce', 'shopify']),
  shop: ShopCode,
  secret: text(500).min(8, 'A secret has at least 8 characters'),
  keep_old: z.string(),
})

function HookForm({ hook, close }: { hook: { source: HookSource; shop: string } | null; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: HookBody,
    initial: { source: hook?.source ?? 'woocommerce', shop: hook?.shop ?? 'main', secret: '', keep_old: '24' },
    save: ({ source, shop, secret, keep_old }) =>
      send(cmsKeys.setHook, {
        source,
        shop: shop.trim().toLowerCase(),
        body: { secret, keep_old_hours: keptHours.find(hours => String(hours) === keep_old) ?? 24 },
      }),
    refreshes: [cmsKeys.hooks],
    said: t('The secret is kept'),
    done: close,
  })
  const { source, shop } = edit.values
  return (
    <Form edit={edit} action={t('Keep secret')} unguarded>
      {hook ? null : (
        <>
          <NativeSelect
            label={t('Shop system')}
            data={Object.entries(sourceNames).map(([value, label]) => ({ value, label }))}
            {...edit.of('source')}
          />
          <TextInput label={t('Shop')} description={t('Orders that it delivers belong to this shop.')} {...edit.of('shop')} />
        </>
      )}
      <SecretInput
        label={t('Secret')}
        description={
          source === 'woocommerce'
            ? t('A long one; enter it in WooCommerce too: Settings, Advanced, Webhooks, “Order updated”.')
            : t('Shopify: Settings, Notifications, Webhooks; Order creation, update and cancellation.')
        }
        last4={null}
        value={edit.values.secret}
        error={edit.of('secret').error}
        onChange={secret => edit.form.setFieldValue('secret', secret)}
      />
      {hook ? (
        <NativeSelect
          label={t('Old secret valid for')}
          description={t('So that no delivery is refused until the shop uses the new one.')}
          data={keptHours.map(hours => ({ value: String(hours), label: t(keptWords[hours]) }))}
          {...edit.of('keep_old')}
        />
      ) : null}
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('Address for {{source}}', { source: sourceNames[source] })}
        </Text>
        <Copied text={addressOf(`cms/webhook/${source}/${shop.trim().toLowerCase() || 'main'}`)} label={t('Copy address')} />
      </div>
    </Form>
  )
}
