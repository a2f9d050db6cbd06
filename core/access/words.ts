/** Words of usernames: short, plain, kind, and easy to spell over a telephone. */
export const ADJECTIVES = (
  'able agile airy alert amber ample apt arctic ardent ashen autumn avid azure balmy beaming blithe ' +
  'blue bold bonny bouncy brave breezy bright brisk broad bronze bubbly busy calm candid careful caring ' +
  'cheery chief chilly civil classic clean clear clever cloudy cobalt comic cool copper coral cosmic ' +
  'cosy crafty crimson crisp cubic curious curly dainty dapper daring dashing dawn deep deft dewy ' +
  'digital dizzy dreamy dusty eager early earnest easy elder electric elegant emerald epic equal exact ' +
  'fabled fair faithful famous fancy fast fearless festive fierce fine firm fleet fluffy flying fond ' +
  'frank free fresh frosty funny fuzzy gentle giant giddy gifted glad gleaming golden good grand grassy ' +
  'great green happy hardy hasty hazy hearty helpful hidden honest humble humming icy ideal indigo iron ' +
  'ivory jade jaunty jolly jovial joyful keen kind large lasting lavish leafy light lilac lively local ' +
  'lofty loud loyal lucid lucky lunar magic major maple marble mellow merry mighty mild minty misty ' +
  'modern modest mossy mute navy neat nifty nimble noble novel oaken oceanic odd olive opal open orange ' +
  'patient peachy pearly perky placid plucky plum plush polar polite prime proud pure quick quiet ' +
  'radiant rapid rare ready regal rich rosy royal ruby rugged rural rustic sable sage sandy scarlet ' +
  'serene sharp shiny silent silky silver simple sincere sleek smart smooth snowy social soft solar ' +
  'solid sonic spicy spry stable starry steady stellar still stormy sturdy subtle sunny super sure ' +
  'sweet swift tame teal tender tidy tiny topaz tough tranquil trusty upbeat urban valiant vast velvet ' +
  'vivid warm wavy wild windy wise witty young zany zesty'
).split(' ')

export const NOUNS = (
  'acorn alder alpaca anchor antler apple arrow aspen aster atlas aurora badger bamboo banjo barley ' +
  'basil beacon bear beaver beetle berry birch bison bloom bobcat boulder breeze brook buffalo butter ' +
  'cabin cactus camel canary candle canoe canyon caribou cedar cello cherry chestnut cicada clover ' +
  'cobra comet condor coral cougar coyote crab crane creek cricket crocus crow curlew cypress daisy ' +
  'dingo dolphin donkey dove dragon drum duck eagle echo egret elk ember falcon fern ferret fiddle ' +
  'finch fjord flint forest fox frog galaxy garden gazelle gecko geyser gibbon ginger glacier goose ' +
  'gopher grove gull hamster harbor hare harp hawk hazel hedgehog heron hill hippo holly horizon hornet ' +
  'ibex ibis iguana iris island ivy jackal jaguar jasmine jay juniper kayak kelp kestrel kite kiwi ' +
  'koala lagoon lake lantern lark laurel lemon lemur leopard lichen lily lion lizard llama lobster ' +
  'lotus lynx magpie maple marmot marten mayfly meadow melon meteor mink mole monsoon moon moose moss ' +
  'moth mountain mule muskrat nebula newt nutmeg oak oasis ocean ocelot olive orbit orchid osprey ' +
  'ostrich otter owl oyster panda panther papaya parrot peach pebble pelican penguin pepper petal ' +
  'pheasant pigeon pine planet plover pony poplar poppy prairie puffin puma quail quartz rabbit raccoon ' +
  'raven reef reindeer ridge river robin rocket rose saffron salmon sandpiper sapphire seal sequoia ' +
  'shark sheep shell sparrow spruce squid squirrel stork stream summit swallow swan tapir thistle ' +
  'thrush thunder tiger toucan trout tulip tundra turtle valley violet walnut walrus warbler weasel ' +
  'whale willow wolf wombat wren yak zebra zephyr'
).split(' ')
