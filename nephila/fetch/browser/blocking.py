"""Hosts that bring advertising and measure visitors: a drawn page has nothing to lose without them."""

from __future__ import annotations

from collections.abc import Callable, Collection

AD_HOSTS = frozenset(
    """
    2mdn.net 33across.com adform.net adnxs.com adroll.com adsafeprotected.com adsrvr.org adsymptotic.com advertising.com
    agkn.com amazon-adsystem.com amplitude.com app-measurement.com bidswitch.net bluekai.com braze.com
    casalemedia.com chartbeat.com chartbeat.net clarity.ms contextweb.com criteo.com criteo.net crwdcntrl.net
    demdex.net doubleclick.net doubleverify.com everesttech.net exelator.com flashtalking.com
    fullstory.com google-analytics.com googleadservices.com googlesyndication.com googletagmanager.com
    googletagservices.com gumgum.com heapanalytics.com hotjar.com imrworldwide.com indexww.com
    kissmetrics.com krxd.net lijit.com liveramp.com mathtag.com mixpanel.com moatads.com mookie1.com
    mouseflow.com newrelic.com nr-data.net omtrdc.net openx.net optimizely.com outbrain.com
    pardot.com parsely.com permutive.com piano.io pubmatic.com quantcast.com quantserve.com rlcdn.com rubiconproject.com
    scorecardresearch.com segment.com segment.io serving-sys.com sharethrough.com smartadserver.com
    sonobi.com spotxchange.com taboola.com tapad.com teads.tv tremorhub.com triplelift.com turn.com
    yieldmo.com zedo.com yandexadexchange.net adfox.ru mc.yandex.ru an.yandex.ru top-fwz1.mail.ru hm.baidu.com
    cpro.baidu.com pos.baidu.com cnzz.com umeng.com bat.bing.com connect.facebook.net analytics.tiktok.com
    ads.linkedin.com px.ads.linkedin.com snap.licdn.com static.ads-twitter.com analytics.twitter.com
    """.split()  # noqa: SIM905 - a list of two hundred quoted names is harder to read
)


def blocker(hosts: Collection[str]) -> Callable[[str], bool]:
    """Whether a host is one of these, or below one."""
    names = frozenset(host.lower().rstrip(".") for host in hosts)

    def blocked(host: str) -> bool:
        name = host.lower().rstrip(".")
        while name:
            if name in names:
                return True
            name = name.partition(".")[2]
        return False

    return blocked
