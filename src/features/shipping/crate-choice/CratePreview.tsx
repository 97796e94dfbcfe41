/** Try it: the box that an order or some products would be packed into, how it is packed, and what is against the other boxes. */
import { ActionIcon, Alert, Button, Group, List, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ProductChoice } from '#features/catalog/products/ProductChoice.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { money, percent, weight } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { CratePile } from './CratePile.tsx'
import type { LeftOutReason } from './crate-choice.codes.ts'
import { crateChoice } from './crate-choice.contract.ts'
import type { SuggestedCrates } from './crate-choice.schemas.ts'

const reasons: Record<LeftOutReason, string> = {
  off: 'Off',
  used_up: 'Used up',
  other_courier: 'The courier does not take it',
  other_currency: 'Its cost has another currency',
  side_sum: 'Its sides are too long together',
  no_price: 'The courier has no price for it',
  rule: 'A rule forbids it for {{item}}',
  too_small: '{{item}} does not fit',
  too_heavy: '{{item}} is too heavy for it',
  volume: 'Too small for everything',
  weight: 'Everything is too heavy for it',
  arrangement: 'Not everything fits together',
  dearer: 'It costs more',
}

interface Row {
  key: number
  sku: string
  qty: number
}

export function CratePreview({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [by, setBy] = useState<'order' | 'products'>('order')
  const [order_no, setOrderNo] = useState('')
  const [rows, setRows] = useState<Row[]>([{ key: 0, sku: '', qty: 1 }])
  const [tried, setTried] = useState(false)
  const preview = useSend(crateChoice.preview, { quiet: true })
  const items = rows.filter(row => row.sku.trim() !== '').map(({ sku, qty }) => ({ sku: sku.trim(), qty }))
  const missing = by === 'order' ? order_no.trim() === '' : items.length === 0
  const ask = () => {
    setTried(true)
    if (!missing) preview.mutate({ body: by === 'order' ? { order_no: order_no.trim() } : { items } })
  }
  const change = (key: number, part: Partial<Row>) => setRows(rows.map(row => (row.key === key ? { ...row, ...part } : row)))
  return (
    <Page title={t('Boxes')}>
      {tabs}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <form
          onSubmit={event => {
            event.preventDefault()
            ask()
          }}
        >
          <Stack gap="md" maw={480}>
            <Text size="sm" c="dimmed">
              {t('See which box would be suggested, and why. Nothing is saved.')}
            </Text>
            <SegmentedControl
              aria-label={t('What is packed')}
              data={[
                { value: 'order', label: t('An order') },
                { value: 'products', label: t('Products') },
              ]}
              value={by}
              onChange={value => setBy(value === 'products' ? 'products' : 'order')}
            />
            {by === 'order' ? (
              <TextInput
                label={t('Order number')}
                description={t('What the order still has to send.')}
                value={order_no}
                maxLength={120}
                error={tried && missing ? t('Fill this in') : undefined}
                onChange={event => setOrderNo(event.currentTarget.value)}
              />
            ) : (
              <Stack gap="xs">
                {rows.map((row, place) => (
                  <Group key={row.key} gap="xs" wrap="nowrap" align="start">
                    <div style={{ flex: 1 }}>
                      <ProductChoice
                        sku={row.sku}
                        set={sku => change(row.key, { sku })}
                        error={tried && missing && place === 0 ? t('Fill this in') : undefined}
                      />
                    </div>
                    <WholeNumberInput
                      label={t('Quantity')}
                      w={96}
                      min={1}
                      max={10_000}
                      value={row.qty}
                      onChange={value => change(row.key, { qty: Number(value) || 1 })}
                    />
                    <ActionIcon
                      variant="subtle"
                      color="brick"
                      size="lg"
                      mt={26}
                      aria-label={t('Remove product')}
                      {...disabledBecause(rows.length === 1 && t('At least one product stays'))}
                      onClick={() => setRows(rows.filter(one => one.key !== row.key))}
                    >
                      <IconTrash size={20} />
                    </ActionIcon>
                  </Group>
                ))}
                {rows.length < 50 ? (
                  <Group>
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconPlus size={16} />}
                      onClick={() => setRows([...rows, { key: Math.max(...rows.map(row => row.key)) + 1, sku: '', qty: 1 }])}
                    >
                      {t('Add product')}
                    </Button>
                  </Group>
                ) : null}
              </Stack>
            )}
            <Group>
              <Button type="submit" loading={preview.isPending}>
                {t('Suggest a box')}
              </Button>
            </Group>
            {preview.error ? <Alert color="brick">{errorSentence(preview.error)}</Alert> : null}
          </Stack>
        </form>
        {preview.data ? <Suggestion of={preview.data} /> : null}
      </SimpleGrid>
    </Page>
  )
}

function Suggestion({ of: suggestion }: { of: SuggestedCrates }) {
  const t = useT()
  const { init } = useSignedIn()
  const { status, crates, cost, postage, lines, others, order, without_size, too_large } = suggestion
  const nameOf = (line: number | null) => lines.find(one => one.order_item_id === line)?.name ?? ''
  const courier = init.ParcelAgentCode.find(agent => agent.agent_code === order?.agent_code)?.name
  return (
    <Stack gap="lg" component="section" aria-label={t('Suggestion')}>
      {crates.length === 0 ? (
        <Alert color="amber" title={t('No box')}>
          {lines.length === 0
            ? t('The order has nothing left to send.')
            : too_large.length > 0
              ? t('No box holds {{items}}.', { items: too_large.map(nameOf).join(', ') })
              : without_size.length > 0
                ? t('The size of {{items}} is missing.', { items: without_size.map(nameOf).join(', ') })
                : t('No box may be used for this.')}
        </Alert>
      ) : (
        <>
          <Group justify="space-between" align="baseline">
            <Text fw={600}>{t('{{count}} parcels', { count: crates.length })}</Text>
            {cost && postage ? (
              <Text>
                {t('{{total}}: box {{box}}, courier {{courier}}', {
                  total: money(cost.amount + postage.amount, cost.currency),
                  box: money(cost.amount, cost.currency),
                  courier: money(postage.amount, postage.currency),
                })}
              </Text>
            ) : cost ? (
              <Text>{t('Boxes: {{cost}}, no price', { cost: money(cost.amount, cost.currency) })}</Text>
            ) : null}
          </Group>
          {crates.map((one, place) => (
            // Parcels of one suggestion have no other identity.
            // biome-ignore lint/suspicious/noArrayIndexKey: a new suggestion replaces all of them
            <Stack key={place} gap="xs">
              <Group gap="sm">
                <Text fw={600} fz="lg">
                  {[
                    one.fill_percent === null
                      ? one.crate.name
                      : t('{{box}}: {{percent}} full', { box: one.crate.name, percent: percent(one.fill_percent / 100) }),
                    one.weight_g === null ? null : weight(one.weight_g),
                    courier ? t(courier) : null,
                  ]
                    .filter(part => part !== null)
                    .join(', ')}
                </Text>
                {status === 'learned' ? <StateBadge tone="busy">{t('Learned')}</StateBadge> : null}
                {status === 'rule' ? <StateBadge tone="busy">{t('By a rule')}</StateBadge> : null}
                {status === 'estimate' ? <StateBadge tone="soon">{t('Estimate')}</StateBadge> : null}
              </Group>
              {one.items.length > 0 ? <CratePile crate={one} lines={lines} /> : null}
            </Stack>
          ))}
          {status === 'estimate' ? (
            <Text size="sm" c="dimmed">
              {without_size.length > 0
                ? t('Estimated by volume: the size of {{items}} is missing.', { items: without_size.map(nameOf).join(', ') })
                : t('Estimated by volume: there are more than 200 items.')}
            </Text>
          ) : null}
        </>
      )}
      {others.length > 0 ? (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('Why not another box')}
          </Text>
          <List size="sm">
            {others.map(({ crate, why, order_item_id }) => (
              <List.Item key={crate.id}>{`${crate.name}: ${t(reasons[why], { item: nameOf(order_item_id) })}`}</List.Item>
            ))}
          </List>
        </div>
      ) : null}
    </Stack>
  )
}
