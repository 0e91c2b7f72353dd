"""Training of the default extractor: samples -> examples -> weights, and cross-validation. Needs the extra `train`.

`examples` turns pages into features and labels, `variants` makes more of them, as other sites might have made them,
with parts of others (`cuttings`); `network` is the model of `content.model` in a form that can be differentiated, `fit`
trains it, `kept` goes on where a training was stopped, `validation` scores each page by a model that never saw its site
and learns from those scores what a confidence means, `sites` how to weigh a site's memory; `outcome` writes the
weights.
"""
