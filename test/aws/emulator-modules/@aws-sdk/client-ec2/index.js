/**
 * Stands in for the SDK's client where CDK's custom resource asks for the prefix list of CloudFront: the emulator
 * has no managed prefix lists, and this package is not among our dependencies.
 */
exports.EC2 = class EC2 {}
exports.EC2Client = class EC2Client {
  config = { region: async () => 'us-east-1' }

  async send(command) {
    return command.answer()
  }
}
exports.DescribeManagedPrefixListsCommand = class DescribeManagedPrefixListsCommand {
  constructor(input) {
    this.input = input
  }

  answer() {
    const [{ Name, Values }] = this.input.Filters
    if (Name !== 'prefix-list-name') throw new Error(`no such filter: ${Name}`)
    return { PrefixLists: [{ PrefixListName: Values[0], PrefixListId: 'pl-0123456789abcdef0' }] }
  }
}
