/** Jest's globalTeardown. */
export default async function teardown(): Promise<void> {
  await (globalThis as unknown as { stopSharedDynamoDb(): Promise<void> }).stopSharedDynamoDb()
}
