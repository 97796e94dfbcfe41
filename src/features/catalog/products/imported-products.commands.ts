/**
 * SQL of the products that orders bring along, for the statements that write many orders at once. What it takes is text of this
 * program, never input: names of columns, and the rows of the statement that it becomes a part of.
 */

/** Inserts products from `rows p`, each SKU once and in one order, so that two imports do not wait for each other in a circle. */
export const insertProductsText = (columns: readonly string[], rows: string): string =>
  `insert into products (${columns.join(', ')})
    select distinct on (upper(p.sku)) ${columns.map(column => `p.${column}`).join(', ')} from ${rows} order by upper(p.sku)
    on conflict (operator_id, company_id, sku_key)`

/** The same, and answers id and key of those as well that another import has inserted meanwhile: an update of nothing returns them. */
export const takeProductsText = (columns: readonly string[], rows: string): string =>
  `${insertProductsText(columns, rows)} do update set name = products.name returning id, sku_key`

/** Inserts barcodes from a query of product ids and barcodes, and leaves those alone that are known. */
export const insertBarcodesText = (query: string): string =>
  `insert into product_barcodes (product_id, barcode) ${query} on conflict do nothing`

/** Fills columns that are empty from `rows r`, where the products meet `condition`. What somebody has set stays. */
export const fillProductsText = (columns: readonly string[], rows: string, condition: string): string =>
  `update products p set ${columns.map(name => `${name} = coalesce(p.${name}, r.${name})`).join(', ')}, version = p.version + 1, updated_at = now()
    from ${rows} where ${condition} and p.id = r.id`
