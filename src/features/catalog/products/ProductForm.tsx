/** The form of one product: fields, barcodes with the quantity of one scan, and picture. */
import {
  ActionIcon,
  Button,
  Checkbox,
  FileButton,
  Group,
  MultiSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import { describedGoods, type GoodsFlag, goodsFlags, hsChapter, longestDescription } from '#domain/customs/goods.ts'
import { isFlag, isNumber, isText, listOf, nullable, objectOf } from '#domain/guards.ts'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { ProductLinks } from '#features/catalog/product-links/ProductLinks.tsx'
import { EditableTags } from '#features/company/tags/TagPicker.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { type DraftShape, useDraft } from '#ui/kit/drafts.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { ProductParts } from './ProductParts.tsx'
import { products } from './products.contract.ts'
import { NewProduct, Product } from './products.schemas.ts'
import { ShownProduct } from './shown-product.client.ts'

type Amount = number | ''
interface Values extends Record<string, unknown> {
  sku: string
  name: string
  variant: string
  weight_g: Amount
  length_mm: Amount
  width_mm: Amount
  height_mm: Amount
  bin: string
  hs_code: string
  origin: string
  customs_text: string
  net_weight_g: Amount
  manufacturer_no: string
  /** In whole units of its currency. */
  cost_price: Amount
  cost_currency: string
  customs_flags: string[]
  serial_required: boolean
  no_barcode: boolean
  barcodes: { barcode: string; quantity: number }[]
  components: { sku: string; quantity: number }[]
}
/** How many minor units one of the currency has. */
const unitsOf = (currency: string): number => 10 ** (isCurrency(currency.toUpperCase()) ? decimalsOf(currency.toUpperCase()) : 2)
const valuesOf = (product: Product | null): Values => ({
  sku: product?.sku ?? '',
  name: product?.name ?? '',
  variant: product?.variant ?? '',
  weight_g: product?.weight_g ?? '',
  length_mm: product?.length_mm ?? '',
  width_mm: product?.width_mm ?? '',
  height_mm: product?.height_mm ?? '',
  bin: product?.bin ?? '',
  hs_code: product?.hs_code ?? '',
  origin: product?.origin ?? '',
  customs_text: product?.customs_text ?? '',
  net_weight_g: product?.net_weight_g ?? '',
  manufacturer_no: product?.manufacturer_no ?? '',
  cost_price: typeof product?.cost_price === 'number' ? product.cost_price / unitsOf(product.cost_currency ?? '') : '',
  cost_currency: product?.cost_currency ?? '',
  customs_flags: product?.customs_flags ?? [],
  serial_required: product?.serial_required ?? false,
  no_barcode: product?.no_barcode ?? false,
  barcodes: product?.barcodes ?? [],
  components: (product?.components ?? []).map(({ sku, quantity }) => ({ sku, quantity })),
})
/** A drawer closes with one tap, so unsaved input is kept for the next opening. */
interface Half {
  values: Values | null
  version: number
}
const isAmount = (value: unknown): value is Amount => value === '' || isNumber(value)
const half: DraftShape<Half> = {
  empty: { values: null, version: 0 },
  fits: objectOf<Half>({
    values: nullable(
      objectOf<Values>({
        sku: isText,
        name: isText,
        variant: isText,
        weight_g: isAmount,
        length_mm: isAmount,
        width_mm: isAmount,
        height_mm: isAmount,
        bin: isText,
        hs_code: isText,
        origin: isText,
        customs_text: isText,
        net_weight_g: isAmount,
        manufacturer_no: isText,
        cost_price: isAmount,
        cost_currency: isText,
        customs_flags: listOf(isText),
        serial_required: isFlag,
        no_barcode: isFlag,
        barcodes: listOf(objectOf({ barcode: isText, quantity: isNumber })),
        components: listOf(objectOf({ sku: isText, quantity: isNumber })),
      }),
    ),
    version: isNumber,
  }),
}

/** An empty field is null. */
const orNull = <T,>(value: T | ''): T | null => (value === '' ? null : value)
const bodyOf = (values: Values) => ({
  name: values.name,
  variant: orNull(values.variant),
  weight_g: orNull(values.weight_g),
  length_mm: orNull(values.length_mm),
  width_mm: orNull(values.width_mm),
  height_mm: orNull(values.height_mm),
  bin: orNull(values.bin),
  hs_code: orNull(values.hs_code),
  origin: orNull(values.origin),
  customs_text: orNull(values.customs_text),
  net_weight_g: orNull(values.net_weight_g),
  manufacturer_no: orNull(values.manufacturer_no.trim()),
  cost_price: values.cost_price === '' ? null : Math.round(values.cost_price * unitsOf(values.cost_currency)),
  cost_currency: values.cost_price === '' ? null : orNull(values.cost_currency),
  customs_flags: values.customs_flags.filter((flag): flag is GoodsFlag => isOneOf(goodsFlags, flag)),
  serial_required: values.serial_required,
  no_barcode: values.no_barcode,
  barcodes: values.barcodes.filter(one => one.barcode.trim() !== ''),
  components: values.components,
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => ({ sku: values.sku, ...bodyOf(values) }))
  .pipe(NewProduct)

export function ProductForm({ product, done }: { product: Product | null; done?: (product: Product) => void }) {
  const t = useT()
  const mayEdit = useIsAllowed(access.parcelsAdmin)
  const maySeeSerials = useIsAllowed(access.serials)
  const draft = useDraft(`product ${product?.product_id ?? 'new'}`, half)
  const { values: begun } = draft.value
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(begun ? draft.value.version : (product?.version ?? 0))
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(product),
    ...(begun && { begun }),
    changed: (values, dirty) => (dirty ? draft.set({ values, version: version.current }) : draft.forget()),
    // Create and update share the fields; a new product has its SKU as well.
    save: values =>
      product
        ? send(products.update, { id: product.product_id, body: { ...bodyOf(values), version: version.current } })
        : send(products.create, { body: { sku: values.sku, ...bodyOf(values) } }),
    refreshes: [products.search, products.get],
    said: t('Product saved'),
    ...(product && {
      undo: async (saved: Product, before: Values) => {
        const back = await send(products.update, { id: product.product_id, body: { ...bodyOf(before), version: saved.version } })
        version.current = back.version
      },
    }),
    done: saved => {
      version.current = saved.version
      draft.forget()
      done?.(saved)
    },
    conflict: {
      schema: Product,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const millimetres = { min: 1, max: 100_000, allowNegative: false, suffix: ' mm', hideControls: true } as const
  return (
    <Stack gap="lg">
      {product ? (
        <Group gap="xs">
          <Text fw={600}>{product.name}</Text>
          <ProductLinks company_id={product.company_id} sku={product.sku} barcode={product.barcodes[0]?.barcode ?? null} size={20} />
        </Group>
      ) : null}
      {product ? (
        <Group gap="sm">
          <Text size="sm" fw={500}>
            {t('Tags')}
          </Text>
          <EditableTags
            object="product"
            id={product.product_id}
            names={product.tags}
            company_id={product.company_id}
            refreshes={[products.search, products.get]}
          />
        </Group>
      ) : null}
      {product ? (
        <ProductPicture
          product={product}
          mayEdit={mayEdit}
          changed={saved => {
            // Only the picture changed, unless another user changed the rest before.
            if (saved.version !== version.current + 1) return
            version.current = saved.version
            if (begun) draft.set({ values: begun, version: saved.version })
          }}
        />
      ) : null}
      <fieldset
        {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
        style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
      >
        <Form edit={edit} note={product ? <RelativeTime at={product.updated_at} /> : undefined} unguarded>
          {product ? (
            <TextInput label={t('SKU')} value={product.sku} readOnly variant="filled" />
          ) : (
            <TextInput label={t('SKU')} data-autofocus {...edit.of('sku')} />
          )}
          <TextInput label={t('Name')} {...edit.of('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('Variant')} {...edit.of('variant')} />
            <TextInput label={t('Bin')} {...edit.of('bin')} />
          </SimpleGrid>
          <WholeNumberInput
            label={t('Weight')}
            min={0}
            max={10_000_000}
            allowNegative={false}
            suffix=" g"
            hideControls
            {...edit.of('weight_g')}
          />
          <SimpleGrid cols={3}>
            <WholeNumberInput label={t('Length')} {...millimetres} {...edit.of('length_mm')} />
            <WholeNumberInput label={t('Width')} {...millimetres} {...edit.of('width_mm')} />
            <WholeNumberInput label={t('Height')} {...millimetres} {...edit.of('height_mm')} />
          </SimpleGrid>
          <BarcodeFields edit={edit} />
          <ProductParts
            parts={edit.values.components}
            set={parts => edit.form.setFieldValue('components', parts)}
            errorOf={field => edit.form.errors[field]}
            product={product}
          />
          <Checkbox
            label={t('Has no barcode')}
            description={t('It is counted by hand at the packing station, without a permission.')}
            {...edit.of('no_barcode', 'checkbox')}
          />
          <Checkbox
            label={t('Serial number required')}
            description={
              edit.values.components.length > 0
                ? t('A bundle has none of its own: its parts are asked for theirs.')
                : t('The packing station asks for one of each item.')
            }
            {...edit.of('serial_required', 'checkbox')}
          />
          {product && edit.values.serial_required && maySeeSerials ? (
            <Link to="/serials/stock" search={{ sku: product.sku }}>
              {t('Serial numbers')}
            </Link>
          ) : null}
          <CustomsFields edit={edit} />
        </Form>
      </fieldset>
      {product ? (
        <ShownProduct value={product}>
          <Slot name="product" />
        </ShownProduct>
      ) : null}
    </Stack>
  )
}

const flagWords = {
  food: 'Food',
  excise: 'Excise goods',
  alcohol: 'Alcohol',
  battery: 'Battery',
  textile: 'Textile',
  restricted: 'Restricted goods',
} as const satisfies Record<GoodsFlag, string>

/** What customs ask abroad; the description can be put together from three answers. */
function CustomsFields({ edit }: { edit: Edit<Values> }) {
  const t = useT()
  const [answers, setAnswers] = useState<readonly string[] | null>(null)
  const { hs_code, customs_text } = edit.values
  const chapter = hsChapter(hs_code)
  const questions = [t('What is it?'), t('What is it made of?'), t('What is it used for?')]
  const answer = (at: number, text: string) => {
    const next = questions.map((_, i) => (i === at ? text : (answers?.[i] ?? '')))
    setAnswers(next)
    edit.form.setFieldValue('customs_text', describedGoods(next))
  }
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t('Customs')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('Tariff code')}
          inputMode="numeric"
          description={chapter === null ? t('6 to 11 digits') : t('Chapter {{chapter}}', { chapter })}
          {...edit.of('hs_code')}
        />
        <TextInput label={t('Country of origin')} description={t('Where it was made')} placeholder="DK" {...edit.of('origin')} />
      </SimpleGrid>
      <TextInput
        label={t('Customs description')}
        description={t('In English; couriers print {{letters}} letters', { letters: longestDescription })}
        {...edit.of('customs_text')}
      />
      {answers === null ? (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            // The field before it keeps the focus: a refusal that appears when it is left would move the button away.
            onMouseDown={event => event.preventDefault()}
            onClick={() => setAnswers([customs_text, '', ''])}
          >
            {t('Describe the product')}
          </Button>
        </Group>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {questions.map((question, at) => (
            <TextInput
              key={question}
              label={question}
              maxLength={100}
              value={answers[at] ?? ''}
              onChange={event => answer(at, event.currentTarget.value)}
            />
          ))}
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <WholeNumberInput
          label={t('Net weight')}
          min={0}
          max={10_000_000}
          allowNegative={false}
          suffix=" g"
          hideControls
          {...edit.of('net_weight_g')}
        />
        <NumberInput
          label={t('Cost price')}
          min={0}
          max={10_000_000}
          decimalScale={3}
          allowNegative={false}
          hideControls
          {...edit.of('cost_price')}
        />
        <TextInput label={t('Currency')} placeholder="DKK" {...edit.of('cost_currency')} />
      </SimpleGrid>
      <TextInput
        label={t('Manufacturer’s number')}
        description={t('Imports into the European Union name it beside SKU and GTIN')}
        {...edit.of('manufacturer_no')}
      />
      <MultiSelect
        label={t('Customs treat it apart')}
        data={goodsFlags.map(flag => ({ value: flag, label: t(flagWords[flag]) }))}
        {...edit.of('customs_flags')}
      />
    </Stack>
  )
}

function BarcodeFields({ edit }: { edit: Edit<Values> }) {
  const t = useT()
  const { barcodes } = edit.values
  const set = (next: Values['barcodes']) => edit.form.setFieldValue('barcodes', next)
  const error = edit.of('barcodes').error
  return (
    <Stack gap={8}>
      <Text size="sm" fw={500}>
        {t('Barcodes')}
      </Text>
      {barcodes.map((one, at) => (
        // A row has no other identity while it is edited.
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are added at the end and removed by their index
        <Group key={at} gap="xs" wrap="nowrap" align="start">
          <TextInput
            aria-label={t('Barcode')}
            value={one.barcode}
            style={{ flex: 1 }}
            error={edit.form.errors[`barcodes.${at}.barcode`]}
            onChange={event => set(barcodes.with(at, { ...one, barcode: event.currentTarget.value }))}
          />
          <WholeNumberInput
            aria-label={t('Items that one scan counts')}
            value={one.quantity}
            min={1}
            max={100_000}
            w={110}
            suffix={` ${t('pcs')}`}
            onChange={quantity => set(barcodes.with(at, { ...one, quantity: Number(quantity) || 1 }))}
          />
          <ActionIcon
            variant="subtle"
            color="brick"
            size="lg"
            aria-label={t('Remove barcode')}
            onClick={() => set(barcodes.toSpliced(at, 1))}
          >
            <IconTrash size={20} />
          </ActionIcon>
        </Group>
      ))}
      {error ? (
        <Text size="xs" c="brick" role="alert">
          {error}
        </Text>
      ) : null}
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => set([...barcodes, { barcode: '', quantity: 1 }])}>
          {t('Add barcode')}
        </Button>
      </Group>
    </Stack>
  )
}

function ProductPicture({ product, mayEdit, changed }: { product: Product; mayEdit: boolean; changed: (product: Product) => void }) {
  const t = useT()
  const refreshes = [products.search, products.get]
  const upload = useSend(products.setPicture, { refreshes, said: t('Picture saved'), done: changed })
  const remove = useSend(products.removePicture, { refreshes, said: t('Picture removed'), done: changed })
  const take = (file: File | null) => {
    if (!file) return
    if (file.size > limits.picture) {
      toastInfo(t('{{name}} is larger than {{limit}}', { name: file.name, limit: bytes(limits.picture) }))
      return
    }
    upload.mutate({ id: product.product_id, upload: file })
  }
  return (
    <Group wrap="nowrap" align="end">
      <ImageView
        from={product.has_image ? { call: products.picture, input: { id: product.product_id } } : null}
        sku={product.sku}
        name={product.name}
        size={160}
        version={product.version}
      />
      {mayEdit ? (
        <Stack gap="xs">
          <FileButton onChange={take} accept="image/jpeg,image/png,image/webp,image/avif,image/gif">
            {props => (
              <Button {...props} variant="default" loading={upload.isPending}>
                {product.has_image ? t('Replace picture') : t('Add picture')}
              </Button>
            )}
          </FileButton>
          {product.has_image ? (
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate({ id: product.product_id })}>
              {t('Remove picture')}
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </Group>
  )
}
