from shop.cart import Cart


def test_checkout_adds_prices():
    cart = Cart()
    cart.add("tea", 4.0)
    cart.add("cup", 6.0)
    assert cart.checkout("EUR") == 10.0
