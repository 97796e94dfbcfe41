/** Shipping methods: which ways of sending the company uses, and what packers read about each. */
import { Button, FileButton, Group, Input, Stack, Switch, Table, TagsInput, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import * as z from 'zod'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country, list, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { MethodRules } from './MethodRules.tsx'
import style from './ShippingConfig.module.css'
import { shippingMethods } from './shipping-methods.contract.ts'
import { MethodChange, MethodType, ShippingMethod } from './shipping-methods.schemas.ts'

const View = {
  tab: urlText(),
  /** The open method, `agent_code/method`. */
  id: urlText(),
}

const keyOf = (method: ShippingMethod) => `${method.agent_code}/${method.shipping_method}`

export function ShippingConfigScreen({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const methods = useCall(shippingMethods.list, {}, { live: ['shipping_method'] })
  const couriers = useCall(parcelShops.configured, {})
  const close = () => setUrl({ id: '' })
  return (
    <Page
      title={t('Shipping methods')}
      note={t(
        'Orders use the first rule that they meet, else the method with their shop code, else the only active one. * stands for all other codes.',
      )}
    >
      {tabs}
      <QueryState of={methods} shape="rows">
        {rows => {
          const open = rows.find(row => keyOf(row) === url.id)
          return (
            <Stack gap="xl">
              <QueryState of={couriers} shape="rows">
                {known =>
                  known
                    .filter(({ agent_code }) => rows.some(row => row.agent_code === agent_code))
                    .map(({ agent_code, name, configured }) => (
                      <section key={agent_code}>
                        <Group gap="sm" mb="xs">
                          <Title order={2} size="h4">
                            {t(name)}
                          </Title>
                          {configured ? null : <StateBadge tone="soon">{t('Not set up')}</StateBadge>}
                        </Group>
                        <MethodTable rows={rows.filter(row => row.agent_code === agent_code)} open={row => setUrl({ id: keyOf(row) })} />
                      </section>
                    ))
                }
              </QueryState>
              {rows.every(row => row.agent_code === 'own') ? (
                <Group justify="space-between">
                  <Text size="sm">{t('GLS, PostNord, DHL and others stand here once your agreement with them is entered.')}</Text>
                  <Button component={Link} to="/settings/shipping-config" search={{ tab: 'couriers' }} variant="default">
                    {t('Set up a courier')}
                  </Button>
                </Group>
              ) : null}
              <MethodRules methods={rows} />
              <DefaultPicture there={rows.some(row => row.has_default_image)} />
              <Drawer opened={open !== undefined} onClose={close} title={open ? `${t(open.courier)}: ${t(open.name)}` : ''}>
                {open ? <MethodForm key={keyOf(open)} method={open} close={close} /> : null}
              </Drawer>
            </Stack>
          )
        }}
      </QueryState>
    </Page>
  )
}

function MethodTable({ rows, open }: { rows: readonly ShippingMethod[]; open: (row: ShippingMethod) => void }) {
  const t = useT()
  const active = useSend(shippingMethods.setActive, { refreshes: [shippingMethods.list] })
  const check = useSend(shippingMethods.setLabelCheck, { refreshes: [shippingMethods.list] })
  return (
    <div className={style.scroll}>
      <Table verticalSpacing="xs" className={style.methods}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Shipping method')}</Table.Th>
            <Table.Th w={120}>{t('Active')}</Table.Th>
            <Table.Th w={140}>{t('Label check')}</Table.Th>
            <Table.Th>{t('Shop codes')}</Table.Th>
            <Table.Th w={90} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={keyOf(row)}>
              <Table.Td>
                <Group gap="xs">
                  <Text fw={500}>{t(row.name)}</Text>
                  {row.fallback ? <StateBadge tone="plain">{t('Fallback')}</StateBadge> : null}
                  {row.offered ? null : <StateBadge tone="stop">{t('Discontinued')}</StateBadge>}
                </Group>
                <Text size="xs" c="dimmed">
                  {[
                    row.max_weight_g === null ? null : t('Up to {{weight}}', { weight: weight(row.max_weight_g) }),
                    row.countries.length === 0 ? t('All countries') : list(row.countries.map(country)),
                    row.packing_text,
                  ]
                    .filter(text => text !== null)
                    .join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td>
                <MethodSwitch
                  name={t('Active')}
                  label={t('{{method}} is active', { method: row.name })}
                  isOn={row.active}
                  isPending={active.isPending}
                  set={on => active.mutate({ active: on ? 'true' : 'false', agent_code: row.agent_code, method: row.shipping_method })}
                />
              </Table.Td>
              <Table.Td>
                <MethodSwitch
                  name={t('Label check')}
                  label={t('Scan the fresh label of {{method}}', { method: row.name })}
                  isOn={row.check_tracking_and_trace}
                  isPending={check.isPending}
                  set={on => check.mutate({ toggle: on ? 'true' : 'false', courier: row.agent_code, method: row.shipping_method })}
                />
              </Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace">
                  {row.shop_codes.join(', ') || '–'}
                </Text>
              </Table.Td>
              <Table.Td ta="end">
                <Button size="compact-sm" variant="default" onClick={() => open(row)} aria-label={t('Edit {{name}}', { name: row.name })}>
                  {t('Edit')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  shop_codes: string[]
  packing_text: string
  slip: boolean
}
const valuesOf = (method: ShippingMethod): Values => ({
  name: method.name,
  shop_codes: method.shop_codes,
  packing_text: method.packing_text ?? '',
  slip: method.documents.includes('slip'),
})
const bodyOf = ({ slip, ...values }: Values, version: number) => ({ ...values, documents: slip ? ['slip' as const] : [], version })
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, 0))
  .pipe(MethodChange)

function MethodForm({ method, close }: { method: ShippingMethod; close: () => void }) {
  const t = useT()
  const version = useRef(method.version)
  const which = { agent_code: method.agent_code, method: method.shipping_method }
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(method),
    save: values =>
      send(shippingMethods.set, {
        ...which,
        type: MethodType.catch('parcel').parse(method.type),
        body: bodyOf(values, version.current),
      }),
    refreshes: [shippingMethods.list],
    said: t('{{method}} is saved', { method: method.name }),
    undo: (saved, before) =>
      send(shippingMethods.set, { ...which, type: MethodType.catch('parcel').parse(method.type), body: bodyOf(before, saved.version) }),
    done: close,
    conflict: {
      schema: ShippingMethod,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const forget = useSend(shippingMethods.remove, {
    refreshes: [shippingMethods.list],
    said: t('{{method}} is as the courier offers it', { method: method.name }),
    done: close,
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Forget what is set for {{method}}?', { method: method.name }),
      body: t('It is switched off; its name, shop codes, packing text and picture are lost.'),
      action: t('Forget it'),
      danger: true,
    })
    if (sure) forget.mutate(which)
  }
  return (
    <Stack gap="lg">
      <Form edit={edit} cancel={close}>
        <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
        <TagsInput
          label={t('Shop codes')}
          description={t('What the shop calls it. Orders with one of these codes go by this method; Enter adds one.')}
          splitChars={[',', ';']}
          {...edit.of('shop_codes')}
        />
        <Textarea
          label={t('Text for the packer')}
          description={t('Shown on the packing screen.')}
          autosize
          minRows={2}
          maxRows={6}
          {...edit.of('packing_text')}
        />
        <Switch label={t('Print a packing slip')} {...edit.of('slip', 'checkbox')} />
      </Form>
      <HandlingPicture
        method={method}
        saved={next => {
          version.current = next
        }}
      />
      {method.version > 0 ? (
        <Group>
          <Button variant="subtle" color="brick" loading={forget.isPending} onClick={() => void ask()}>
            {t('Forget what is set')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

const pictures = 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml'

function HandlingPicture({ method, saved }: { method: ShippingMethod; saved: (version: number) => void }) {
  const t = useT()
  const which = { agent_code: method.agent_code, method: method.shipping_method }
  // A picture is a change of the method too: the open form goes on from the version that it makes.
  const done = () => saved(method.version + 1)
  const set = useSend(shippingMethods.setImage, { refreshes: [shippingMethods.list], said: t('Picture saved'), done })
  const remove = useSend(shippingMethods.removeImage, { refreshes: [shippingMethods.list], said: t('Picture removed'), done })
  return (
    <Input.Wrapper
      label={t('Handling picture')}
      labelElement="div"
      description={t('How the parcel is packed for this method. Without one the company’s own picture is shown.')}
    >
      <Group mt="xs">
        {method.has_image ? (
          <ImageView
            from={{ call: shippingMethods.image, input: which }}
            sku={method.shipping_method}
            name={method.name}
            size={96}
            version={method.version}
          />
        ) : null}
        <FileButton onChange={file => file && set.mutate({ ...which, upload: file })} accept={pictures}>
          {props => (
            <Button {...props} variant="default" loading={set.isPending}>
              {method.has_image ? t('Replace picture') : t('Select a picture')}
            </Button>
          )}
        </FileButton>
        {method.has_image ? (
          <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate(which)}>
            {t('Remove')}
          </Button>
        ) : null}
      </Group>
    </Input.Wrapper>
  )
}

function DefaultPicture({ there }: { there: boolean }) {
  const t = useT()
  const refreshes = [shippingMethods.list]
  const set = useSend(shippingMethods.setDefaultImage, { refreshes, said: t('Picture saved') })
  const remove = useSend(shippingMethods.removeDefaultImage, { refreshes, said: t('Picture removed') })
  return (
    <section>
      <Title order={2} size="h4">
        {t('Handling picture for all methods')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Shown where a method has none of its own.')}
      </Text>
      <Group mt="xs">
        {there ? (
          <ImageView
            from={{ call: shippingMethods.defaultImage, input: {} }}
            sku="–"
            name={t('Handling picture for all methods')}
            size={96}
            version={set.submittedAt}
          />
        ) : null}
        <FileButton onChange={file => file && set.mutate({ upload: file })} accept={pictures}>
          {props => (
            <Button {...props} variant="default" loading={set.isPending}>
              {there ? t('Replace picture') : t('Select a picture')}
            </Button>
          )}
        </FileButton>
        {there ? (
          <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate({})}>
            {t('Remove')}
          </Button>
        ) : null}
      </Group>
    </section>
  )
}

/** Its name stands beside it where the table has no heads. */
function MethodSwitch(props: { name: string; label: string; isOn: boolean; isPending: boolean; set: (on: boolean) => void }) {
  const { name, label, isOn, isPending, set } = props
  return (
    <div className={style.switch}>
      <Switch aria-label={label} checked={isOn} disabled={isPending} onChange={event => set(event.currentTarget.checked)} />
      <span className={style.switchName} aria-hidden>
        {name}
      </span>
    </div>
  )
}
