/** The form of one box: sizes, weights, cost, who uses it, stock and picture. */
import { Button, FileButton, Group, MultiSelect, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { limits } from '#contract/limits.ts'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { toastInfo, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { crateRules } from './crate-rules.contract.ts'
import { crateTypes } from './crate-types.contract.ts'
import { CrateType, type CrateTypeChange, CrateTypeFields } from './crate-types.schemas.ts'

type Amount = number | ''
interface Values extends Record<string, unknown> {
  name: string
  code: string
  barcode: string
  inner_mm: Amount[]
  outer_mm: Amount[]
  tare_g: Amount
  max_g: Amount
  /** In major units, as people write money. */
  cost: Amount
  currency: string
  stock: Amount
  low_stock: Amount
  filler_percent: Amount
  agent_codes: string[]
  company_ids: string[]
  letter_box: boolean
  max_side_sum_mm: Amount
  position: Amount
  active: boolean
}
const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const valuesOf = (crate: CrateType | null, currency: string): Values => ({
  name: crate?.name ?? '',
  code: crate?.code ?? '',
  barcode: crate?.barcode ?? '',
  inner_mm: crate ? [...crate.inner_mm] : ['', '', ''],
  outer_mm: crate ? [...crate.outer_mm] : ['', '', ''],
  tare_g: crate?.tare_g ?? '',
  max_g: crate?.max_g ?? '',
  cost: crate ? crate.cost / minorPerMajor(crate.currency) : '',
  currency: crate?.currency ?? currency,
  stock: crate?.stock ?? '',
  low_stock: crate?.low_stock ?? '',
  filler_percent: crate?.filler_percent ?? 0,
  agent_codes: crate?.agent_codes ?? [],
  company_ids: crate?.company_ids?.map(String) ?? [],
  letter_box: crate?.letter_box ?? false,
  max_side_sum_mm: crate?.max_side_sum_mm ?? '',
  position: crate?.position ?? 0,
  active: crate?.active ?? true,
})

const orNull = (value: Amount): number | null => (value === '' ? null : value)
const orAll = <T,>(values: T[]): T[] | null => (values.length === 0 ? null : values)
const bodyOf = (values: Values) => ({
  ...values,
  barcode: values.barcode.trim() || null,
  cost: values.cost === '' ? null : Math.round(values.cost * minorPerMajor(values.currency.trim().toUpperCase())),
  stock: orNull(values.stock),
  low_stock: orNull(values.low_stock),
  max_side_sum_mm: orNull(values.max_side_sum_mm),
  filler_percent: values.filler_percent === '' ? 0 : values.filler_percent,
  position: values.position === '' ? 0 : values.position,
  agent_codes: orAll(values.agent_codes),
  company_ids: orAll(values.company_ids.map(Number)),
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(CrateTypeFields)
const parsed = (values: Values) => CrateTypeFields.parse(bodyOf(values))
/** What a change sends: packed parcels take from the stock, so it goes along only where the person changed it. */
function changeOf(values: Values, known: Amount): Omit<CrateTypeChange, 'version'> {
  const { stock, ...fields } = parsed(values)
  return values.stock === known ? fields : { ...fields, stock }
}
const fieldsOf = ({ id: _id, version: _version, has_image: _picture, ...fields }: CrateType) => fields
const lists = [crateTypes.list, crateRules.options, crateRules.list]
const refreshes = [...lists, crateTypes.get]

interface FormProps {
  crate: CrateType | null
  mayEdit: boolean
  close: () => void
  /** A row of the list came, changed or went. */
  changed: () => void
  made?: (crate: CrateType) => void
}

export function CrateTypeForm({ crate, mayEdit, close, changed, made }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(crate?.version ?? 0)
  const stock = useRef<Amount>(crate?.stock ?? '')
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(crate, init.settings.currency),
    save: values =>
      crate
        ? send(crateTypes.update, { id: crate.id, body: { ...changeOf(values, stock.current), version: version.current } })
        : send(crateTypes.create, { body: parsed(values) }),
    refreshes,
    said: t('Box saved'),
    ...(crate && {
      undo: async (saved: CrateType, before: Values) => {
        const back = await send(crateTypes.update, {
          id: crate.id,
          body: { ...changeOf(before, saved.stock ?? ''), version: saved.version },
        })
        version.current = back.version
        stock.current = back.stock ?? ''
      },
    }),
    done: saved => {
      version.current = saved.version
      stock.current = saved.stock ?? ''
      changed()
      made?.(saved)
    },
    conflict: {
      schema: CrateType,
      values: fresh => {
        version.current = fresh.version
        stock.current = fresh.stock ?? ''
        return valuesOf(fresh, fresh.currency)
      },
    },
  })
  const whole = { min: 0, allowNegative: false, hideControls: true } as const
  const grams = { ...whole, max: 2_000_000, suffix: ' g' } as const
  const currency = edit.values.currency.trim().toUpperCase()
  return (
    <Stack gap="lg">
      {crate ? (
        <Picture
          crate={crate}
          mayEdit={mayEdit}
          changed={saved => {
            if (saved.version === version.current + 1) version.current = saved.version
          }}
        />
      ) : null}
      <fieldset
        {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
        style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
      >
        <Form edit={edit} {...(crate ? {} : { action: t('Add box'), cancel: close })}>
          <TextInput label={t('Name')} data-autofocus={crate === null || undefined} {...edit.of('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('Code')}
              description={t('Printed and scanned as CR and the code.')}
              leftSection="CR"
              spellCheck={false}
              {...edit.of('code')}
            />
            <TextInput
              label={t('Barcode')}
              description={t('Of the maker, if the box carries one.')}
              spellCheck={false}
              {...edit.of('barcode')}
            />
          </SimpleGrid>
          <Sides edit={edit} field="inner_mm" label={t('Inside')} />
          <Sides edit={edit} field="outer_mm" label={t('Outside')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput label={t('Own weight')} {...grams} {...edit.of('tare_g')} />
            <NumberInput label={t('Heaviest when packed')} {...grams} {...edit.of('max_g')} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label={t('Cost of one')}
              description={t('The cheapest box that holds an order is suggested.')}
              min={0}
              max={1_000_000}
              allowNegative={false}
              hideControls
              fixedDecimalScale
              decimalScale={isCurrency(currency) ? decimalsOf(currency) : 2}
              {...edit.of('cost')}
            />
            <TextInput label={t('Currency')} description={t('Three letters, such as DKK.')} spellCheck={false} {...edit.of('currency')} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <WholeNumberInput
              label={t('Stock')}
              description={t('At 0 it is not suggested. Empty: not counted.')}
              {...whole}
              max={10_000_000}
              {...edit.of('stock')}
            />
            <WholeNumberInput
              label={t('Warn at')}
              description={t('Empty: no warning.')}
              {...whole}
              min={1}
              max={10_000_000}
              {...edit.of('low_stock')}
            />
          </SimpleGrid>
          <MultiSelect
            label={t('Couriers')}
            description={t('Empty: all couriers take it.')}
            data={init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) }))}
            clearable
            {...edit.of('agent_codes')}
          />
          {init.CompanyLookup.length > 1 ? (
            <MultiSelect
              label={t('Companies')}
              description={t('Empty: orders of all companies are packed into it.')}
              data={init.CompanyLookup.map(company => ({ value: String(company.id), label: company.name }))}
              clearable
              searchable
              {...edit.of('company_ids')}
            />
          ) : null}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <WholeNumberInput
              label={t('Filler')}
              description={t('Share of the height that stays free for paper or air cushions.')}
              {...whole}
              max={90}
              suffix=" %"
              {...edit.of('filler_percent')}
            />
            <WholeNumberInput
              label={t('Longest sum of the sides')}
              description={t('Larger boxes are not suggested. Empty: no limit.')}
              {...whole}
              max={15_000}
              suffix=" mm"
              {...edit.of('max_side_sum_mm')}
            />
          </SimpleGrid>
          <WholeNumberInput
            label={t('Rank')}
            description={t('Of boxes that cost the same, the lowest rank is suggested.')}
            {...whole}
            max={10_000}
            {...edit.of('position')}
          />
          <Switch
            label={t('Fits through a letter box')}
            description={t('Large letters and small bags.')}
            {...edit.of('letter_box', 'checkbox')}
          />
          <Switch label={t('In use')} description={t('Off: it is not suggested.')} {...edit.of('active', 'checkbox')} />
        </Form>
      </fieldset>
      {crate && mayEdit ? (
        <Group>
          <Remove crate={crate} close={close} changed={changed} />
        </Group>
      ) : null}
    </Stack>
  )
}

function Sides({ edit, field, label }: { edit: Edit<Values>; field: 'inner_mm' | 'outer_mm'; label: string }) {
  const t = useT()
  const error = edit.form.errors[field]
  const names = [t('Length'), t('Width'), t('Height')]
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <SimpleGrid cols={3}>
        {names.map((name, axis) => (
          <WholeNumberInput
            key={name}
            aria-label={`${label}, ${name}`}
            placeholder={name}
            min={1}
            max={5_000}
            allowNegative={false}
            hideControls
            suffix=" mm"
            {...edit.form.getInputProps(`${field}.${axis}`)}
          />
        ))}
      </SimpleGrid>
      {error ? (
        <Text size="xs" c="brick" role="alert">
          {error}
        </Text>
      ) : null}
    </Stack>
  )
}

function Remove({ crate, close, changed }: { crate: CrateType; close: () => void; changed: () => void }) {
  const t = useT()
  const restore = useCommand(
    ({ removed }: { removed: boolean }) =>
      removed
        ? send(crateTypes.restore, { id: crate.id })
        : send(crateTypes.update, { id: crate.id, body: { ...fieldsOf(crate), version: crate.version + 1 } }),
    { refreshes, said: t('{{name}} is back', { name: crate.name }), done: changed },
  )
  const remove = useSend(crateTypes.remove, {
    refreshes: lists,
    done: ({ removed }) => {
      close()
      changed()
      const sentence = removed
        ? t('{{name}} removed', { name: crate.name })
        : t('{{name}} is off now. Parcels went out in it, so it stays in the list.', { name: crate.name })
      toastWithUndo(sentence, () => restore.mutate({ removed }))
    },
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Remove {{name}}?', { name: crate.name }),
      body: t('It is not suggested any more, and rules about it no longer count.'),
      action: t('Remove box'),
      danger: true,
    })
    if (sure) remove.mutate({ id: crate.id })
  }
  return (
    <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void ask()}>
      {t('Remove box')}
    </Button>
  )
}

function Picture({ crate, mayEdit, changed }: { crate: CrateType; mayEdit: boolean; changed: (crate: CrateType) => void }) {
  const t = useT()
  const upload = useSend(crateTypes.setPicture, { refreshes, said: t('Picture saved'), done: changed })
  const remove = useSend(crateTypes.removePicture, { refreshes, said: t('Picture removed'), done: changed })
  const take = (file: File | null) => {
    if (!file) return
    if (file.size > limits.picture) {
      toastInfo(t('{{name}} is larger than {{limit}}', { name: file.name, limit: bytes(limits.picture) }))
      return
    }
    upload.mutate({ id: crate.id, upload: file })
  }
  return (
    <Group wrap="nowrap" align="end">
      <ImageView
        from={crate.has_image ? { call: crateTypes.picture, input: { id: crate.id } } : null}
        sku={crate.code}
        name={crate.name}
        size={160}
        version={crate.version}
      />
      {mayEdit ? (
        <Stack gap="xs">
          <FileButton onChange={take} accept="image/jpeg,image/png,image/webp,image/avif,image/gif">
            {props => (
              <Button {...props} variant="default" loading={upload.isPending}>
                {crate.has_image ? t('Replace picture') : t('Add picture')}
              </Button>
            )}
          </FileButton>
          {crate.has_image ? (
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate({ id: crate.id })}>
              {t('Remove picture')}
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </Group>
  )
}
