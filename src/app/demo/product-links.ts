/** Links at the names of the demo's products – all invented. */
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

export async function buildProductLinks({ database }: Services, scope: TenantScope): Promise<void> {
  await database.transaction(scope, db =>
    db
      .insertInto('product_links')
      .values([
        { title: 'Product in the shop', url: 'https://shop.example/products/{sku}', icon: 'shop', position: 1 },
        { title: 'Pictures', url: 'https://shop.example/pictures?barcode={barcode}', icon: 'picture', position: 2 },
        { title: 'User guide', url: 'https://shop.example/manuals/{sku}.pdf', icon: 'manual', position: 3, active: false },
      ])
      .execute(),
  )
}
